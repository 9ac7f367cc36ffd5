package dev.typedoutbox.metrics;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.ApplyOutcome;
import dev.typedoutbox.consumer.EventConsumer;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * Counts and measures what a consumer does, in a Micrometer registry. docs/metrics.md lists the metrics. They are registered
 * at once and stay; those of consumers with one name add up.
 *
 * <p>Safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class ConsumerMetrics {
    private final MeterRegistry registry;
    private final Tags tags;
    private final Counter applied;
    private final Counter duplicates;
    private final Counter failed;
    private final Counter heldBack;
    private final Counter deadLettered;
    private final Timer apply;
    private final Timer lag;

    private ConsumerMetrics(MeterRegistry registry, String consumer) {
        this.registry = Objects.requireNonNull(registry, "registry");
        this.tags = Tags.of("consumer", Objects.requireNonNull(consumer, "consumer"));
        this.applied = counter("applied", "Events that were applied");
        this.duplicates = counter("duplicates", "Events that came again and had been applied before");
        this.failed = counter("failed", "Tries to apply an event that failed");
        this.heldBack =
                counter("held.back", "Times that an event had to wait for an earlier one or for another consumer");
        this.deadLettered = counter("dead.lettered", "Messages that were given up as dead letters");
        this.apply = Buckets.WORK.timer(
                registry, "outbox.consumer.apply", tags, "Time to apply what was handed over together");
        this.lag = Buckets.AGE.timer(
                registry, "outbox.consumer.lag", tags, "From the writing of an event until it was applied");
    }

    /**
     * Metrics of one consumer.
     *
     * @param registry where they are registered
     * @param consumer the value of the label {@code consumer}, such as the name of an {@code IdempotentConsumer}
     * @return the metrics
     */
    public static ConsumerMetrics of(MeterRegistry registry, String consumer) {
        return new ConsumerMetrics(registry, consumer);
    }

    /**
     * Has a consumer counted.
     *
     * @param consumer the consumer
     * @return one that does the same and counts; to be handed to what receives the events
     */
    public EventConsumer observe(EventConsumer consumer) {
        return new CountedConsumer(Objects.requireNonNull(consumer, "consumer"), this);
    }

    /** Counts a message that was given up as a dead letter, as whatever receives the messages tells of it. */
    public void deadLettered() {
        deadLettered.increment();
    }

    void took(Duration time) {
        apply.record(time);
    }

    void count(List<ApplyOutcome> outcomes) {
        Instant now = Instant.now();
        outcomes.forEach(outcome -> count(outcome, now));
    }

    void countFailure() {
        failed.increment();
    }

    private void count(ApplyOutcome outcome, Instant now) {
        switch (outcome.kind()) {
            case APPLIED -> {
                applied.increment();
                recordLag(outcome.event(), now);
            }
            case DUPLICATE -> duplicates.increment();
            case FAILED -> failed.increment();
            case HELD_BACK -> heldBack.increment();
        }
    }

    /** Other producers' messages need not tell when they were written. */
    private void recordLag(OutboxEvent event, Instant now) {
        if (!event.createdAt().equals(Instant.EPOCH)) {
            lag.record(Age.of(event.createdAt(), now));
        }
    }

    private Counter counter(String what, String description) {
        return Counter.builder("outbox.consumer." + what)
                .description(description)
                .tags(tags)
                .register(registry);
    }
}
