package dev.typedoutbox.standalone;

import dev.typedoutbox.cleanup.Cleanup;
import dev.typedoutbox.relay.DeadLetterPolicy;
import dev.typedoutbox.relay.PublishedRows;
import dev.typedoutbox.relay.RelayConfig;
import dev.typedoutbox.relay.RelayConfigBuilder;
import dev.typedoutbox.relay.RelayObserver;
import dev.typedoutbox.relay.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** What the settings mean for the relay and its cleanup. */
final class RelaySettings {
    private final Settings settings;

    RelaySettings(Settings settings) {
        this.settings = settings;
    }

    /** Finds what is wrong with them before anything is started. */
    void check() {
        config(List.of(), Optional.empty());
    }

    RelayConfig config(List<RelayObserver> observers, Optional<DataSource> listener) {
        RelayConfigBuilder config = RelayConfig.builder()
                .schema(settings.text(Setting.SCHEMA))
                .workers(settings.whole(Setting.WORKERS))
                .batchSize(settings.whole(Setting.BATCH_SIZE))
                .maxBatchBytes(settings.number(Setting.MAX_BATCH_BYTES))
                .maxPayloadBytes(settings.whole(Setting.MAX_PAYLOAD_BYTES))
                .ordered(settings.flag(Setting.ORDERED))
                .retryPolicy(retryPolicy())
                .deadLetterPolicy(deadLetterPolicy())
                .publishedRows(publishedRows());
        setTimes(config);
        name().ifPresent(config::name);
        listener.ifPresent(config::listenOn);
        observers.forEach(config::observer);
        return config.build();
    }

    private void setTimes(RelayConfigBuilder config) {
        config.pollInterval(settings.duration(Setting.POLL_INTERVAL))
                .fallbackPollInterval(settings.duration(Setting.FALLBACK_POLL_INTERVAL))
                .confirmTimeout(settings.duration(Setting.CONFIRM_TIMEOUT))
                .statementTimeout(settings.duration(Setting.STATEMENT_TIMEOUT))
                .closeTimeout(settings.duration(Setting.CLOSE_TIMEOUT));
    }

    private Optional<String> name() {
        Optional<String> name = settings.optionalText(Setting.RELAY_NAME);
        if (name.filter(text -> text.length() > 100).isPresent()) {
            throw settings.wrong(Setting.RELAY_NAME, "at most 100 characters");
        }
        return name;
    }

    private RetryPolicy retryPolicy() {
        Duration delay = settings.duration(Setting.RETRY_DELAY);
        Duration longest = settings.duration(Setting.RETRY_MAX_DELAY);
        if (longest.compareTo(delay) < 0) {
            throw settings.wrong(
                    Setting.RETRY_MAX_DELAY, "at least " + Setting.RETRY_DELAY + ", " + Durations.format(delay));
        }
        return new RetryPolicy(settings.whole(Setting.RETRY_ATTEMPTS), delay, longest);
    }

    private DeadLetterPolicy deadLetterPolicy() {
        if (settings.text(Setting.DEAD_LETTER_POLICY).equals("go-on")) {
            return DeadLetterPolicy.GO_ON;
        }
        if (!settings.flag(Setting.ORDERED)) {
            throw settings.wrong(Setting.DEAD_LETTER_POLICY, "go-on where " + Setting.ORDERED + " is false");
        }
        return DeadLetterPolicy.HOLD_AGGREGATE;
    }

    private PublishedRows publishedRows() {
        return settings.text(Setting.PUBLISHED_ROWS).equals("keep") ? PublishedRows.KEEP : PublishedRows.DELETE;
    }

    boolean cleansUp() {
        return settings.has(Setting.KEEP_PUBLISHED_EVENTS) || settings.has(Setting.KEEP_PROCESSED_EVENTS);
    }

    Cleanup cleanup(DataSource dataSource) {
        Cleanup.Builder cleanup = Cleanup.builder(dataSource)
                .schema(settings.text(Setting.SCHEMA))
                .every(settings.duration(Setting.CLEANUP_INTERVAL))
                .withoutPublishedEvents()
                .withoutProcessedEvents();
        if (settings.has(Setting.KEEP_PUBLISHED_EVENTS)) {
            cleanup.publishedEvents(settings.duration(Setting.KEEP_PUBLISHED_EVENTS));
        }
        if (settings.has(Setting.KEEP_PROCESSED_EVENTS)) {
            cleanup.processedEvents(settings.duration(Setting.KEEP_PROCESSED_EVENTS));
        }
        return cleanup.build();
    }

    /** One for each that may want one at the same time, so that none waits for another. */
    int connections() {
        int connections = settings.whole(Setting.WORKERS) + 1;
        connections += cleansUp() ? 1 : 0;
        connections += settings.has(Setting.HEALTH_PORT) ? 1 : 0;
        return connections + (settings.has(Setting.ADMIN_PORT) ? 2 : 0);
    }
}
