package dev.typedoutbox.example.orders;

import java.util.UUID;

/** There is no such order. */
final class OrderNotFoundException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OrderNotFoundException(UUID id) {
        super("id must be the id of an order (was " + id + ")");
    }
}
