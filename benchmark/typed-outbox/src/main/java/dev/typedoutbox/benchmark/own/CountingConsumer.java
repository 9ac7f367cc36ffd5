package dev.typedoutbox.benchmark.own;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.Applied;
import dev.typedoutbox.consumer.ApplyOutcome;
import dev.typedoutbox.consumer.EventConsumer;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the deliveries that another consumer is done with, after their transaction has committed. */
final class CountingConsumer implements EventConsumer {
    private final EventConsumer counted;
    private final AtomicLong done = new AtomicLong();

    CountingConsumer(EventConsumer counted) {
        this.counted = counted;
    }

    long done() {
        return done.get();
    }

    @Override
    public Applied apply(OutboxEvent event) {
        Applied applied = counted.apply(event);
        done.incrementAndGet();
        return applied;
    }

    @Override
    public List<ApplyOutcome> applyAll(List<OutboxEvent> events) {
        List<ApplyOutcome> outcomes = counted.applyAll(events);
        done.addAndGet(outcomes.stream().filter(ApplyOutcome::isDone).count());
        return outcomes;
    }
}
