package dev.typedoutbox.consumer;

import dev.typedoutbox.OutboxEvent;
import java.util.List;

/**
 * What an adapter for a broker hands received events to. Must be safe for use by several threads.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface EventConsumer {
    /**
     * Applies an event. When this returns, the delivery is acknowledged; when it throws, the event is delivered again.
     *
     * @param event the event
     * @return what became of it
     */
    Applied apply(OutboxEvent event);

    /**
     * Applies several events, in their order. One that fails does not keep the others from being applied, except the later
     * ones of its aggregate. Unless overridden, each is applied for itself.
     *
     * @param events the events
     * @return what became of each, in the same order
     * @throws RuntimeException if nothing can be said of any of them, as when the database is away; some may have been applied
     */
    default List<ApplyOutcome> applyAll(List<OutboxEvent> events) {
        return new OneByOne(this).apply(events);
    }
}
