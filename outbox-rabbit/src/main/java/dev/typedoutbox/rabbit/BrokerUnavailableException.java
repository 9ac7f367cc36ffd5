package dev.typedoutbox.rabbit;

/**
 * The broker cannot be reached, does not let the user in, or went away in the midst of an operation. The message says which
 * broker and why, without passwords. The operation may be tried again.
 *
 * @since 0.1.0
 */
public final class BrokerUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BrokerUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
