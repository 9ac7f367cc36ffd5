package dev.typedoutbox.example.orders;

import dev.typedoutbox.example.generated.enums.OrderStatus;
import java.util.Collection;
import java.util.UUID;
import java.util.stream.Collectors;

/** What is asked of an order does not go with what happened to it before. */
final class OrderStateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OrderStateException(UUID id, Collection<OrderStatus> from, OrderStatus to, OrderStatus was) {
        super("status must be " + names(from) + " to become " + to + " (was " + was + ", order " + id + ")");
    }

    private static String names(Collection<OrderStatus> statuses) {
        return statuses.stream().sorted().map(OrderStatus::getLiteral).collect(Collectors.joining(" or "));
    }
}
