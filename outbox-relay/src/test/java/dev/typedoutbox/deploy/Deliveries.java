package dev.typedoutbox.deploy;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.Applied;
import dev.typedoutbox.consumer.ApplyOutcome;
import dev.typedoutbox.consumer.EventConsumer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Hands events on, and remembers the ids of those that were dealt with, duplicates as well. */
final class Deliveries implements EventConsumer {
    private final EventConsumer consumer;
    private final List<String> ids = new CopyOnWriteArrayList<>();

    Deliveries(EventConsumer consumer) {
        this.consumer = consumer;
    }

    List<String> ids() {
        return List.copyOf(ids);
    }

    @Override
    public Applied apply(OutboxEvent event) {
        Applied applied = consumer.apply(event);
        ids.add(event.id().toString());
        return applied;
    }

    @Override
    public List<ApplyOutcome> applyAll(List<OutboxEvent> events) {
        List<ApplyOutcome> outcomes = consumer.applyAll(events);
        events.forEach(event -> ids.add(event.id().toString()));
        return outcomes;
    }
}
