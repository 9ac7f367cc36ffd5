package dev.typedoutbox.metrics;

import static dev.typedoutbox.metrics.Scrape.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.Applied;
import dev.typedoutbox.consumer.ApplyOutcome;
import dev.typedoutbox.consumer.EventConsumer;
import dev.typedoutbox.consumer.IdempotentConsumer;
import dev.typedoutbox.support.LogRecorder;
import dev.typedoutbox.support.OutboxDatabase;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class ConsumerMetricsTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();
    private static final String LABEL = "{consumer=\"shipping\"}";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final ConsumerMetrics metrics = ConsumerMetrics.of(registry, "shipping");
    private final EventConsumer consumer = metrics.observe(
            IdempotentConsumer.create(DATABASE.dataSource(), "shipping", (tx, event) -> refuseBad(event)));

    @BeforeEach
    void empty() {
        DATABASE.empty();
    }

    @Test
    void eachOutcomeOfABatchIsCounted() {
        OutboxEvent first = event("1", "good");

        consumer.applyAll(List.of(first, event("2", "bad"), event("2", "good"), event("3", "good")));
        consumer.applyAll(List.of(first));

        Scrape scrape = Scrape.of(registry);
        assertThat(scrape.value("outbox_consumer_applied_total" + LABEL)).isEqualTo(2);
        assertThat(scrape.value("outbox_consumer_duplicates_total" + LABEL)).isEqualTo(1);
        assertThat(scrape.value("outbox_consumer_failed_total" + LABEL)).isEqualTo(1);
        assertThat(scrape.value("outbox_consumer_held_back_total" + LABEL)).isEqualTo(1);
        assertThat(scrape.value("outbox_consumer_apply_seconds_count" + LABEL)).isEqualTo(2);
        assertThat(scrape.value("outbox_consumer_lag_seconds_count" + LABEL)).isEqualTo(2);
        assertThat(scrape.value("outbox_consumer_lag_seconds_sum" + LABEL)).isBetween(20.0, 40.0);
    }

    @Test
    void eachOutcomeOfASingleEventIsCounted() {
        OutboxEvent good = event("1", "good");

        assertThat(consumer.apply(good)).isEqualTo(Applied.APPLIED);
        assertThat(consumer.apply(good)).isEqualTo(Applied.DUPLICATE);
        assertThatThrownBy(() -> consumer.apply(event("2", "bad"))).hasMessage("on purpose");

        Scrape scrape = Scrape.of(registry);
        assertThat(scrape.value("outbox_consumer_applied_total" + LABEL)).isEqualTo(1);
        assertThat(scrape.value("outbox_consumer_duplicates_total" + LABEL)).isEqualTo(1);
        assertThat(scrape.value("outbox_consumer_failed_total" + LABEL)).isEqualTo(1);
        assertThat(scrape.value("outbox_consumer_lag_seconds_count" + LABEL)).isEqualTo(1);
    }

    @Test
    void batchOfWhichNothingIsKnownCountsForNothing() {
        PGSimpleDataSource nowhere = new PGSimpleDataSource();
        nowhere.setURL("jdbc:postgresql://127.0.0.1:1/nothing");
        EventConsumer lost = metrics.observe(IdempotentConsumer.create(nowhere, "shipping", (tx, event) -> {}));

        assertThatThrownBy(() -> lost.applyAll(List.of(event("1", "good"), event("2", "good"))))
                .isInstanceOf(DataAccessException.class);

        assertThat(value(registry, "outbox_consumer_failed_total" + LABEL)).isZero();
        assertThat(value(registry, "outbox_consumer_applied_total" + LABEL)).isZero();
    }

    @Test
    void eventThatDoesNotTellWhenItWasWrittenHasNoLag() {
        consumer.apply(OutboxEvent.builder(UUID.randomUUID()).build());

        assertThat(value(registry, "outbox_consumer_applied_total" + LABEL)).isEqualTo(1);
        assertThat(value(registry, "outbox_consumer_lag_seconds_count" + LABEL)).isZero();
    }

    @Test
    void eventThatSaysItWasWrittenInTheYearOneIsAppliedOnceAndCounted() {
        OutboxEvent event = OutboxEvent.builder(UUID.randomUUID())
                .createdAt(Instant.parse("0001-01-01T00:00:00Z"))
                .build();

        assertThat(consumer.applyAll(List.of(event))).containsExactly(ApplyOutcome.of(event, Applied.APPLIED));

        assertThat(value(registry, "outbox_consumer_applied_total" + LABEL)).isEqualTo(1);
        assertThat(value(registry, "outbox_consumer_lag_seconds_count" + LABEL)).isEqualTo(1);
    }

    @Test
    void deadLettersAreCountedAsTold() {
        metrics.deadLettered();

        assertThat(value(registry, "outbox_consumer_dead_lettered_total" + LABEL))
                .isEqualTo(1);
    }

    @Test
    void redeliveryIsACountAndALineForThoseWhoLookForIt() {
        OutboxEvent event = event("1", "good");
        consumer.apply(event);
        try (LogRecorder log = new LogRecorder()) {
            consumer.apply(event);
            assertThat(log.lines()).isEmpty();
        }
        try (LogRecorder log = new LogRecorder(Level.DEBUG)) {
            consumer.apply(event);
            assertThat(log.fieldsOf("event is a duplicate")).hasSize(1);
        }
        assertThat(value(registry, "outbox_consumer_duplicates_total" + LABEL)).isEqualTo(2);
    }

    private static void refuseBad(OutboxEvent event) {
        if (event.eventType().equals("bad")) {
            throw new IllegalStateException("on purpose");
        }
    }

    private static OutboxEvent event(String orderId, String type) {
        return OutboxEvent.builder(UUID.randomUUID())
                .aggregate("order", orderId, 1)
                .eventType(type)
                .createdAt(Instant.now().minusSeconds(10))
                .build();
    }
}
