package dev.typedoutbox.relay;

import org.jspecify.annotations.Nullable;

/**
 * The broker cannot be reached, or a session with it has ended. The relay waits and tries again; no event is at fault.
 *
 * @since 0.1.0
 */
public final class PublisherUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message which broker, and what is wrong; shown to operators, so without passwords
     * @param cause what the client said, if anything
     */
    public PublisherUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
