package dev.typedoutbox.tracing;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.relay.BatchResult;
import dev.typedoutbox.relay.PublishAttempt;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.PublishOutcome.Kind;
import dev.typedoutbox.relay.RelayObserver;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** Makes a span of each attempt to publish, after the event. */
final class SendSpans implements RelayObserver {
    private static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("outbox.attempt");
    private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("outbox.outcome");
    private static final AttributeKey<Double> WAITED = AttributeKey.doubleKey("outbox.waited_seconds");
    private static final double NANOS = 1e9;

    private final Tracing tracing;

    SendSpans(Tracing tracing) {
        this.tracing = tracing;
    }

    @Override
    public void batchDone(BatchResult result, Duration took, List<PublishAttempt> attempts) {
        attempts.forEach(attempt -> tracing.failures().contain(() -> record(attempt)));
    }

    private void record(PublishAttempt attempt) {
        OutboxEvent event = attempt.event();
        PublishOutcome outcome = attempt.outcome();
        String kind = outcome.kind().name().toLowerCase(Locale.ROOT);
        Span span = tracing.spans()
                .of(Operation.SEND, event)
                .setParent(tracing.propagation().extract(Context.root(), event.headers()))
                .setStartTimestamp(attempt.sentAt())
                .setAttribute(ATTEMPT, (long) attempt.number())
                .setAttribute(OUTCOME, kind)
                .setAttribute(WAITED, waited(event.createdAt(), attempt.sentAt()))
                .startSpan();
        if (outcome.kind() != Kind.CONFIRMED) {
            Spans.fail(span, kind, outcome.reason());
        }
        span.end(attempt.sentAt().plus(attempt.took()));
    }

    /** In seconds. The one time is the database's and the other this machine's, whose clock may be behind. */
    private static double waited(Instant createdAt, Instant sentAt) {
        Duration waited = Duration.between(createdAt, sentAt);
        return Math.max(0, waited.getSeconds() + waited.getNano() / NANOS);
    }
}
