package dev.typedoutbox.metrics;

import dev.typedoutbox.relay.BatchResult;
import dev.typedoutbox.relay.PublishAttempt;
import dev.typedoutbox.relay.PublishOutcome.Kind;
import dev.typedoutbox.relay.PublishOutcome.Refusal;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** What relays have done, added up; all that use one registry add to the same numbers. */
final class RelayMeters {
    private final MeterRegistry registry;
    private final Counter published;
    private final Counter retried;
    private final Counter unconfirmed;
    private final Counter deadLettered;
    private final Counter nacks;
    private final Counter returns;
    private final Counter batchesFailed;
    private final FailedEvents failed;
    private final Timer batchDuration;
    private final Timer confirm;
    private final Timer deliveryDelay;

    RelayMeters(MeterRegistry registry) {
        this.registry = registry;
        this.published = counter("outbox.events.published", "Events that were confirmed and marked as processed");
        this.retried = counter("outbox.events.retried", "Attempts to publish events that had been refused before");
        this.unconfirmed = counter(
                "outbox.events.unconfirmed",
                "Attempts to publish of which the outcome is unknown; they are sent again");
        this.deadLettered = counter("outbox.events.dead.lettered", "Events that became dead letters");
        this.nacks = counter("outbox.publish.nacks", "Negative acknowledgements of the broker");
        this.returns = counter("outbox.publish.returns", "Events that the broker returned, since no queue takes them");
        this.batchesFailed = counter("outbox.batches.failed", "Batches that were rolled back or could not begin");
        this.failed = new FailedEvents(registry);
        this.batchDuration =
                timer(Buckets.WORK, "outbox.batch.duration", "From the request for a connection to the commit");
        this.confirm = timer(
                Buckets.ROUND_TRIP, "outbox.publish.confirm", "From the sending of an event until it was confirmed");
        this.deliveryDelay =
                timer(Buckets.AGE, "outbox.delivery.delay", "From the writing of an event until it was confirmed");
    }

    void batchDone(BatchResult result, Duration took, List<PublishAttempt> attempts) {
        batchDuration.record(took);
        published.increment(result.published());
        deadLettered.increment(result.dead());
        int refused = 0;
        for (PublishAttempt attempt : attempts) {
            refused += attempt.outcome().kind() == Kind.REFUSED ? 1 : 0;
            count(attempt);
        }
        failed.countUnread(result.refused() - refused);
    }

    void batchFailed() {
        batchesFailed.increment();
    }

    private void count(PublishAttempt attempt) {
        if (attempt.number() > 1) {
            retried.increment();
        }
        if (attempt.outcome().kind() == Kind.CONFIRMED) {
            confirm.record(attempt.took());
            Instant confirmedAt = attempt.sentAt().plus(attempt.took());
            deliveryDelay.record(Age.of(attempt.event().createdAt(), confirmedAt));
        } else if (attempt.outcome().kind() == Kind.REFUSED) {
            failed.count(attempt.event().eventType());
            count(attempt.outcome().refusal());
        } else {
            unconfirmed.increment();
        }
    }

    private void count(Refusal refusal) {
        if (refusal == Refusal.NACKED) {
            nacks.increment();
        } else if (refusal == Refusal.RETURNED) {
            returns.increment();
        }
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name).description(description).register(registry);
    }

    private Timer timer(Buckets buckets, String name, String description) {
        return buckets.timer(registry, name, Tags.empty(), description);
    }
}
