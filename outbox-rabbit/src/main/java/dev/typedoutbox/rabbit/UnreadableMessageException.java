package dev.typedoutbox.rabbit;

/** A message that can never be an event. */
final class UnreadableMessageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnreadableMessageException(String message) {
        super(message);
    }
}
