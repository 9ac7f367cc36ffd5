package dev.typedoutbox.tracing;

import static dev.typedoutbox.relay.RelayFixture.QUICK_RETRY;
import static dev.typedoutbox.relay.RelayFixture.drain;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static dev.typedoutbox.relay.RelayFixture.runOnce;
import static dev.typedoutbox.tracing.RecordedSpans.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.relay.BatchResult;
import dev.typedoutbox.relay.PublishAttempt;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jooq.Configuration;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the spans of a relay tell. */
@Timeout(60)
class RelaySpansTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();
    private static final String SEND = "send order.placed";

    private final RecordedSpans spans = new RecordedSpans();
    private final OpenTelemetryTracing tracing = spans.tracing();
    private final InMemoryPublisher publisher = new InMemoryPublisher();

    @BeforeEach
    void empty() {
        DATABASE.empty();
    }

    @AfterEach
    void close() {
        spans.close();
    }

    @Test
    void eachAttemptHasASpanThatTellsWhyItFailed() {
        publishTraced();
        Deque<PublishOutcome> answers = new ArrayDeque<>(List.of(
                PublishOutcome.refused("no such queue"),
                PublishOutcome.unknown("the connection was lost"),
                PublishOutcome.confirmed()));
        publisher.answer(event -> answers.remove());

        drain(DATABASE, publisher, quick().retryPolicy(QUICK_RETRY).observer(tracing.relayObserver()));

        List<SpanData> sends = spans.named(SEND);
        assertThat(sends)
                .extracting(span -> text(span, "outbox.outcome"))
                .containsExactly("refused", "unknown", "confirmed");
        // What is not known is not counted as an attempt.
        assertThat(sends).extracting(RelaySpansTest::attempt).containsExactly(1L, 2L, 2L);
        assertThat(sends)
                .extracting(span -> span.getStatus().getStatusCode())
                .containsExactly(StatusCode.ERROR, StatusCode.ERROR, StatusCode.UNSET);
        assertThat(sends)
                .extracting(span -> span.getStatus().getDescription())
                .containsExactly("no such queue", "the connection was lost", "");
        assertThat(sends).extracting(span -> text(span, "error.type")).containsExactly("refused", "unknown", null);
        assertThat(sends)
                .extracting(SpanData::getParentSpanId)
                .containsOnly(spans.only("create order.placed").getSpanId());
    }

    @Test
    void attemptsOfABatchThatIsRolledBackHaveNoSpan() {
        publishTraced();
        publisher.answer(event -> {
            DATABASE.execute("select pg_terminate_backend(pid) from pg_stat_activity"
                    + " where state = 'idle in transaction' and datname = current_database()");
            return PublishOutcome.confirmed();
        });

        assertThatThrownBy(() -> runOnce(DATABASE.dataSource(), publisher, quick().observer(tracing.relayObserver())))
                .isInstanceOf(DataAccessException.class);
        assertThat(spans.named(SEND)).isEmpty();

        publisher.answer(event -> PublishOutcome.confirmed());
        drain(DATABASE, publisher, quick().observer(tracing.relayObserver()));

        assertThat(attempt(spans.only(SEND))).isEqualTo(1);
    }

    @Test
    void headersAreTheSameEachTimeTheEventIsSent() {
        publishTraced();
        Deque<PublishOutcome> answers =
                new ArrayDeque<>(List.of(PublishOutcome.unknown("silence"), PublishOutcome.confirmed()));
        publisher.answer(event -> answers.remove());

        drain(DATABASE, publisher, quick().observer(tracing.relayObserver()));

        List<OutboxEvent> sent = publisher.sent();
        assertThat(sent).hasSize(2);
        assertThat(sent.get(0).headers())
                .containsOnlyKeys("traceparent")
                .isEqualTo(sent.get(1).headers());
    }

    @Test
    void spanTellsHowLongTheEventWaited() {
        DATABASE.execute("insert into outbox_events (aggregate_type, aggregate_id, event_type, payload, created_at)"
                + " values ('order', '1', 'order.placed', '1', now() - interval '1 hour')");

        drain(DATABASE, publisher, quick().observer(tracing.relayObserver()));

        assertThat(waited(spans.only(SEND))).isBetween(3_600.0, 3_660.0);
    }

    @Test
    void timesAreThoseOfTheAttempt() {
        Instant sentAt = Instant.parse("2026-03-01T12:00:00.123456789Z");
        Instant createdAt = sentAt.minusMillis(2_500);

        tell(new PublishAttempt(event(createdAt), 1, PublishOutcome.confirmed(), sentAt, Duration.ofMillis(7)));

        SpanData send = spans.only(SEND);
        assertThat(send.getStartEpochNanos()).isEqualTo(nanos(sentAt));
        assertThat(send.getEndEpochNanos()).isEqualTo(nanos(sentAt.plusMillis(7)));
        assertThat(waited(send)).isEqualTo(2.5);
    }

    @Test
    void clockBehindTheDatabasesGivesNoNegativeTime() {
        Instant sentAt = Instant.parse("2026-03-01T12:00:00Z");

        tell(new PublishAttempt(
                event(sentAt.plusMillis(1)), 1, PublishOutcome.confirmed(), sentAt, Duration.ofMillis(7)));

        assertThat(waited(spans.only(SEND))).isZero();
    }

    @Test
    void extremeTimesAndLongReasonsDoNoHarm() {
        Instant sentAt = Instant.parse("2026-03-01T12:00:00Z");
        PublishOutcome refused = PublishOutcome.refused("x".repeat(100_000));

        tell(new PublishAttempt(event(Instant.MIN), 1, refused, sentAt, Duration.ZERO));
        tell(new PublishAttempt(event(Instant.MAX), 1, refused, sentAt, Duration.ZERO));

        assertThat(spans.named(SEND))
                .hasSize(2)
                .allSatisfy(
                        span -> assertThat(span.getStatus().getDescription()).hasSize(1_000));
    }

    private void publishTraced() {
        Outbox outbox = Outbox.builder().headers(tracing.headers()).build();
        DATABASE.dsl()
                .transaction((Configuration tx) -> outbox.publish(tx, NewEvent.of("order", "1", "order.placed", "x")));
    }

    private void tell(PublishAttempt attempt) {
        tracing.relayObserver().batchDone(new BatchResult(1, 1, 0, 0, 0), attempt.took(), List.of(attempt));
    }

    private static OutboxEvent event(Instant createdAt) {
        return OutboxEvent.builder(UUID.randomUUID())
                .aggregate("order", "1", 1)
                .eventType("order.placed")
                .createdAt(createdAt)
                .build();
    }

    private static Long attempt(SpanData send) {
        return send.getAttributes().get(AttributeKey.longKey("outbox.attempt"));
    }

    private static Double waited(SpanData send) {
        return send.getAttributes().get(AttributeKey.doubleKey("outbox.waited_seconds"));
    }

    private static long nanos(Instant time) {
        return TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano();
    }
}
