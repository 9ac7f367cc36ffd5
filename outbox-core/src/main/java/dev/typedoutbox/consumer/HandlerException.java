package dev.typedoutbox.consumer;

/**
 * A handler threw a checked exception; its transaction was rolled back. The cause is what it threw.
 *
 * @since 0.1.0
 */
public final class HandlerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    HandlerException(String message, Throwable cause) {
        super(message, cause);
    }
}
