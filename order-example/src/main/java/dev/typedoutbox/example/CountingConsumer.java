package dev.typedoutbox.example;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.Applied;
import dev.typedoutbox.consumer.ApplyOutcome;
import dev.typedoutbox.consumer.ApplyOutcome.Kind;
import dev.typedoutbox.consumer.EventConsumer;
import java.util.List;

/** Counts what becomes of the deliveries. */
final class CountingConsumer implements EventConsumer {
    private final EventConsumer consumer;
    private final Deliveries deliveries;

    CountingConsumer(EventConsumer consumer, Deliveries deliveries) {
        this.consumer = consumer;
        this.deliveries = deliveries;
    }

    @Override
    public Applied apply(OutboxEvent event) {
        throw new UnsupportedOperationException("events must come in batches");
    }

    @Override
    public List<ApplyOutcome> applyAll(List<OutboxEvent> events) {
        try {
            List<ApplyOutcome> outcomes = consumer.applyAll(events);
            outcomes.forEach(outcome -> count(outcome.event(), outcome.kind()));
            return outcomes;
        } catch (RuntimeException e) {
            events.forEach(event -> count(event, Kind.FAILED));
            throw e;
        }
    }

    private void count(OutboxEvent event, Kind kind) {
        String order = event.aggregateId();
        if (kind != Kind.HELD_BACK) {
            deliveries.all().count(order);
        }
        if (kind == Kind.DUPLICATE) {
            deliveries.duplicates().count(order);
        }
        if (kind == Kind.FAILED) {
            deliveries.failed().count(order);
        }
    }

    /** All deliveries, those that were dropped as duplicates, and those that failed and come again. */
    record Deliveries(Tally all, Tally duplicates, Tally failed) {
        Deliveries() {
            this(new Tally(), new Tally(), new Tally());
        }
    }
}
