package dev.typedoutbox.consumer;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.store.AggregateKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Applies events each for itself. One that fails holds back the later ones of its aggregate, and no others. */
final class OneByOne {
    private final EventConsumer consumer;
    private final Set<AggregateKey> failed = new HashSet<>();

    OneByOne(EventConsumer consumer) {
        this.consumer = consumer;
    }

    List<ApplyOutcome> apply(List<OutboxEvent> events) {
        List<ApplyOutcome> outcomes = new ArrayList<>();
        // An interruption that a handler met is not the next one's; who called may want to know of it.
        boolean interrupted = false;
        try {
            for (OutboxEvent event : events) {
                interrupted |= Thread.interrupted();
                outcomes.add(apply(event));
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        return outcomes;
    }

    private ApplyOutcome apply(OutboxEvent event) {
        AggregateKey aggregate = new AggregateKey(event.aggregateType(), event.aggregateId());
        if (failed.contains(aggregate)) {
            return ApplyOutcome.heldBack(event);
        }
        try {
            return ApplyOutcome.of(event, consumer.apply(event));
        } catch (DatabaseLostException e) {
            // The others would find it out one after the other.
            throw e;
        } catch (RecordHeldException e) {
            holdBack(event, aggregate);
            return ApplyOutcome.heldBack(event);
        } catch (Throwable e) {
            // Also what other languages throw without saying so.
            holdBack(event, aggregate);
            return ApplyOutcome.failed(event, e);
        }
    }

    /** Events of other producers may have no aggregate, and then no order. */
    private void holdBack(OutboxEvent event, AggregateKey aggregate) {
        if (!event.aggregateId().isEmpty()) {
            failed.add(aggregate);
        }
    }
}
