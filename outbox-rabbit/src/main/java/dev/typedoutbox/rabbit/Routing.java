package dev.typedoutbox.rabbit;

import dev.typedoutbox.OutboxEvent;
import java.util.Objects;

/**
 * Tells where each event goes. Must be safe for use by several threads, quick, since what was written before waits to be
 * sent meanwhile, and give the same answer for an event each time. When it throws, or returns null, the event counts as
 * refused.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface Routing {
    /**
     * Tells where an event goes.
     *
     * @param event the event
     * @return exchange and routing key
     */
    Destination route(OutboxEvent event);

    /**
     * All events to one exchange, with the event's type as the routing key.
     *
     * @param exchange the exchange's name
     * @return the routing
     */
    static Routing toExchange(String exchange) {
        Objects.requireNonNull(exchange, "exchange");
        return event -> new Destination(exchange, event.eventType());
    }
}
