package dev.typedoutbox.consumer;

import dev.typedoutbox.OutboxEvent;

/** What an adapter for a broker hands received events to. Must be safe for use by several threads. */
@FunctionalInterface
public interface EventConsumer {
    /**
     * Applies an event. When this returns, the delivery is acknowledged; when it throws, the event is delivered again.
     *
     * @param event the event
     * @return what became of it
     */
    Applied apply(OutboxEvent event);
}
