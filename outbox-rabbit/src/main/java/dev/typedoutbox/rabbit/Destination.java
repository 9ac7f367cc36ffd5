package dev.typedoutbox.rabbit;

import java.util.Objects;

/**
 * Where a message goes.
 *
 * @param exchange the exchange's name; empty for the default exchange, which routes by queue name
 * @param routingKey at most 255 bytes in UTF-8
 * @since 0.1.0
 */
public record Destination(String exchange, String routingKey) {
    /**
     * Checks that both are there. That they are short enough is checked for each event, so that a routing that breaks the
     * rule fails that event alone.
     *
     * @param exchange the exchange's name
     * @param routingKey the routing key
     */
    public Destination {
        Objects.requireNonNull(exchange, "exchange");
        Objects.requireNonNull(routingKey, "routingKey");
    }
}
