package dev.typedoutbox.example;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.Applied;
import dev.typedoutbox.consumer.EventConsumer;

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
        deliveries.all().count(event.aggregateId());
        try {
            Applied applied = consumer.apply(event);
            if (applied == Applied.DUPLICATE) {
                deliveries.duplicates().count(event.aggregateId());
            }
            return applied;
        } catch (RuntimeException e) {
            deliveries.failed().count(event.aggregateId());
            throw e;
        }
    }

    /** All deliveries, those that were dropped as duplicates, and those that failed and come again. */
    record Deliveries(Tally all, Tally duplicates, Tally failed) {
        Deliveries() {
            this(new Tally(), new Tally(), new Tally());
        }
    }
}
