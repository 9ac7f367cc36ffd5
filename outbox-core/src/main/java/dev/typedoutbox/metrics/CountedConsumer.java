package dev.typedoutbox.metrics;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.Applied;
import dev.typedoutbox.consumer.ApplyOutcome;
import dev.typedoutbox.consumer.EventConsumer;
import java.time.Duration;
import java.util.List;

/** Hands events on and counts what becomes of them. */
final class CountedConsumer implements EventConsumer {
    private final EventConsumer consumer;
    private final ConsumerMetrics metrics;

    CountedConsumer(EventConsumer consumer, ConsumerMetrics metrics) {
        this.consumer = consumer;
        this.metrics = metrics;
    }

    @Override
    public Applied apply(OutboxEvent event) {
        long begun = System.nanoTime();
        Applied applied;
        try {
            applied = consumer.apply(event);
        } catch (RuntimeException | Error e) {
            metrics.countFailure();
            throw e;
        }
        metrics.took(since(begun));
        metrics.count(List.of(ApplyOutcome.of(event, applied)));
        return applied;
    }

    /** When this throws, nothing is known of any event, and all of them are handed over again. */
    @Override
    public List<ApplyOutcome> applyAll(List<OutboxEvent> events) {
        long begun = System.nanoTime();
        List<ApplyOutcome> outcomes = consumer.applyAll(events);
        metrics.took(since(begun));
        metrics.count(outcomes);
        return outcomes;
    }

    private static Duration since(long nanoTime) {
        return Duration.ofNanos(System.nanoTime() - nanoTime);
    }
}
