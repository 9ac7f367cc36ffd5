package dev.typedoutbox.example.orders;

/** A request breaks a rule. The message names property, rule and value. */
final class InvalidOrderException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InvalidOrderException(String message) {
        super(message);
    }
}
