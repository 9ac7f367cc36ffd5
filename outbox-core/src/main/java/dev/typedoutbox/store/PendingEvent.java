package dev.typedoutbox.store;

import dev.typedoutbox.OutboxEvent;

/** A row that is to be published, and how many attempts failed before. */
public record PendingEvent(OutboxEvent event, int attempts) {
    public AggregateKey aggregate() {
        return new AggregateKey(event.aggregateType(), event.aggregateId());
    }
}
