package dev.typedoutbox.metrics;

import static dev.typedoutbox.metrics.Scrape.value;
import static dev.typedoutbox.relay.RelayFixture.eventually;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static dev.typedoutbox.relay.RelayFixture.runOnce;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.RelayConfigBuilder;
import dev.typedoutbox.relay.RetryPolicy;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Counters and timers: each moves when what it counts has been committed. */
class RelayMetricsTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();
    private static final RetryPolicy TWICE = new RetryPolicy(2, Duration.ofMillis(1), Duration.ofMillis(1));

    private final InMemoryPublisher publisher = new InMemoryPublisher();
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final RelayMetrics metrics = RelayMetrics.of(registry, DATABASE.dataSource());

    @BeforeEach
    void empty() {
        DATABASE.empty();
    }

    @Test
    void publishedEventsAreCountedAndTimed() throws Exception {
        DATABASE.insertEvents(10, 10);
        DATABASE.execute("update outbox_events set created_at = now() - interval '2 minutes'");

        batch();

        Scrape scrape = Scrape.of(registry);
        assertThat(scrape.value("outbox_events_published_total")).isEqualTo(10);
        assertThat(scrape.value("outbox_batch_duration_seconds_count")).isEqualTo(1);
        assertThat(scrape.value("outbox_batch_duration_seconds_bucket{le=\"60.0\"}"))
                .isEqualTo(1);
        assertThat(scrape.value("outbox_publish_confirm_seconds_count")).isEqualTo(10);
        assertThat(scrape.value("outbox_publish_confirm_seconds_bucket{le=\"30.0\"}"))
                .isEqualTo(10);
        assertThat(scrape.value("outbox_delivery_delay_seconds_count")).isEqualTo(10);
        assertThat(scrape.value("outbox_delivery_delay_seconds_bucket{le=\"60.0\"}"))
                .isZero();
        assertThat(scrape.value("outbox_delivery_delay_seconds_bucket{le=\"300.0\"}"))
                .isEqualTo(10);
        assertThat(scrape.value("outbox_delivery_delay_seconds_sum")).isBetween(1_200.0, 1_400.0);
        assertThat(scrape.value("outbox_events_unconfirmed_total")).isZero();
    }

    @Test
    void clockOfTheDatabaseThatIsAheadCountsAsNoDelay() throws Exception {
        DATABASE.insertEvents(1, 1);
        DATABASE.execute("update outbox_events set created_at = now() + interval '1 hour'");

        batch();

        assertThat(value(registry, "outbox_delivery_delay_seconds_count")).isEqualTo(1);
        assertThat(value(registry, "outbox_delivery_delay_seconds_sum")).isZero();
    }

    @Test
    void eventThatSaysItWasWrittenInTheYearOneDoesNotKeepTheOthersFromBeingCounted() throws Exception {
        DATABASE.insertEvents(3, 3);
        DATABASE.execute("update outbox_events set created_at = '0001-01-01' where seq = 1");

        batch();

        assertThat(value(registry, "outbox_publish_confirm_seconds_count")).isEqualTo(3);
        assertThat(value(registry, "outbox_delivery_delay_seconds_count")).isEqualTo(3);
    }

    @Test
    void refusalsAreCountedByTypeAndByWhatTheBrokerSaid() throws Exception {
        DATABASE.publish("returned", "order.paid");
        DATABASE.publish("nacked", "order.paid");
        DATABASE.publish("refused", "order.shipped");
        DATABASE.publish("good", "order.shipped");
        publisher.answer(event -> switch (event.aggregateId()) {
            case "returned" -> PublishOutcome.returned("no queue");
            case "nacked" -> PublishOutcome.nacked("queue is full");
            case "refused" -> PublishOutcome.refused("too large");
            default -> PublishOutcome.confirmed();
        });

        eventually(() -> {
            batch();
            return DATABASE.count("dead_at is not null") == 3;
        });

        Scrape scrape = Scrape.of(registry);
        assertThat(scrape.value("outbox_events_failed_total{event_type=\"order.paid\"}"))
                .isEqualTo(4);
        assertThat(scrape.value("outbox_events_failed_total{event_type=\"order.shipped\"}"))
                .isEqualTo(2);
        assertThat(scrape.value("outbox_events_failed_total{event_type=\"unread\"}"))
                .isZero();
        assertThat(scrape.value("outbox_publish_returns_total")).isEqualTo(2);
        assertThat(scrape.value("outbox_publish_nacks_total")).isEqualTo(2);
        assertThat(scrape.value("outbox_events_retried_total")).isEqualTo(3);
        assertThat(scrape.value("outbox_events_dead_lettered_total")).isEqualTo(3);
        assertThat(scrape.value("outbox_events_published_total")).isEqualTo(1);
        assertThat(scrape.value("outbox_publish_confirm_seconds_count")).isEqualTo(1);
    }

    @Test
    void eventThatIsGivenUpUnreadFailedAndIsDead() throws Exception {
        DATABASE.execute("insert into outbox_events (aggregate_type, aggregate_id, event_type, payload)"
                + " values ('order', '1', 'order.paid', to_jsonb(repeat('x', 1000)))");

        runOnce(DATABASE.dataSource(), publisher, quick().maxPayloadBytes(500).observer(metrics));

        assertThat(value(registry, "outbox_events_failed_total{event_type=\"unread\"}"))
                .isEqualTo(1);
        assertThat(value(registry, "outbox_events_dead_lettered_total")).isEqualTo(1);
    }

    @Test
    void unknownOutcomesAreCountedAndAreNoFailures() throws Exception {
        DATABASE.insertEvents(3, 3);
        publisher.answer(event -> PublishOutcome.unknown("connection lost"));

        batch();

        assertThat(value(registry, "outbox_events_unconfirmed_total")).isEqualTo(3);
        assertThat(value(registry, "outbox_events_published_total")).isZero();
        assertThat(value(registry, "outbox_batches_failed_total")).isZero();
    }

    @Test
    void batchThatIsRolledBackPublishedNothing() {
        DATABASE.insertEvents(3, 3);
        publisher.answer(event -> {
            DATABASE.execute("select pg_terminate_backend(pid) from pg_stat_activity"
                    + " where state = 'idle in transaction' and datname = current_database()");
            return PublishOutcome.confirmed();
        });

        assertThatThrownBy(this::batch).isInstanceOf(DataAccessException.class);

        assertThat(value(registry, "outbox_batches_failed_total")).isEqualTo(1);
        assertThat(value(registry, "outbox_events_published_total")).isZero();
        assertThat(value(registry, "outbox_publish_confirm_seconds_count")).isZero();
    }

    @Test
    void databaseThatIsNotThereFailsTheBatch() {
        PGSimpleDataSource nowhere = new PGSimpleDataSource();
        nowhere.setURL("jdbc:postgresql://127.0.0.1:1/nothing");

        assertThatThrownBy(() -> runOnce(nowhere, publisher, config())).isInstanceOf(DataAccessException.class);

        assertThat(value(registry, "outbox_batches_failed_total")).isEqualTo(1);
    }

    @Test
    void allThatShareARegistryAddToTheSameCounters() throws Exception {
        DATABASE.insertEvents(1, 1);
        batch();
        DATABASE.insertEvents(1, 1);

        runOnce(DATABASE.dataSource(), publisher, quick().observer(RelayMetrics.of(registry, DATABASE.dataSource())));

        assertThat(value(registry, "outbox_events_published_total")).isEqualTo(2);
    }

    private void batch() throws InterruptedException {
        runOnce(DATABASE.dataSource(), publisher, config());
    }

    private RelayConfigBuilder config() {
        return quick().retryPolicy(TWICE).observer(metrics);
    }
}
