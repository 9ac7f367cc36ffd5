package dev.typedoutbox.relay;

import dev.typedoutbox.relay.Verdicts.Refusal;
import dev.typedoutbox.store.Failure;
import dev.typedoutbox.store.OutboxStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;

/** Settles the rows as the broker has said: one statement for the published, one for the refused. */
final class Settlement {
    private static final String TRIGGERED_ACTION_EXCEPTION = "09000";

    private final OutboxStore store;
    private final RelayConfig config;
    private final DSLContext tx;
    private final RelayLog log;

    Settlement(OutboxStore store, RelayConfig config, DSLContext tx, RelayLog log) {
        this.store = store;
        this.config = config;
        this.tx = tx;
        this.log = log;
    }

    /**
     * Settles a batch.
     *
     * @return how many events became dead letters
     */
    int settle(Verdicts verdicts) {
        if (!verdicts.published().isEmpty()) {
            List<UUID> ids = verdicts.published().stream()
                    .map(event -> event.event().id())
                    .toList();
            requireChanged(ids.size(), settle(ids));
        }
        return verdicts.refusals().isEmpty() ? 0 : record(verdicts.refusals());
    }

    private int settle(List<UUID> published) {
        return config.publishedRows() == PublishedRows.DELETE
                ? store.deletePublished(tx, published)
                : store.markProcessed(tx, published);
    }

    /**
     * Counts a failed attempt for each.
     *
     * @return how many of them became dead letters
     */
    int record(List<Refusal> refusals) {
        List<Failure> failures = refusals.stream().map(this::failure).toList();
        requireChanged(failures.size(), store.recordFailures(tx, failures));
        return (int)
                failures.stream().filter(failure -> failure.retryIn() == null).count();
    }

    /** A trigger or a rule of the application's may drop a change without a word; the event would be sent again for ever. */
    static void requireChanged(int rows, int changed) {
        if (changed != rows) {
            String message = (rows - changed) + " of " + rows + " rows stayed as they were";
            throw new DataAccessException(message, new SQLException(message, TRIGGERED_ACTION_EXCEPTION));
        }
    }

    private Failure failure(Refusal refusal) {
        RetryPolicy policy = config.retryPolicy(refusal.event().event().eventType());
        boolean dead = policy.isExhausted(refusal.attempt());
        log.refused(refusal, dead);
        Duration retryIn = dead ? null : policy.nextDelay(refusal.attempt());
        return new Failure(refusal.event().event().id(), refusal.reason(), retryIn);
    }
}
