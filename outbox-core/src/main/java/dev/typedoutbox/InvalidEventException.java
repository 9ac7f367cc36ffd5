package dev.typedoutbox;

/**
 * An event breaks a rule that the database or a broker would refuse it for. Thrown before any SQL is sent, so the
 * caller's transaction stays usable. The message names the property, the rule and the value.
 *
 * <p>Also thrown where a received event's payload cannot be read as what was asked for; then nothing is said of a
 * transaction.
 *
 * @since 0.1.0
 */
public final class InvalidEventException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    InvalidEventException(String message) {
        super(message);
    }

    InvalidEventException(String message, Throwable cause) {
        super(message, cause);
    }
}
