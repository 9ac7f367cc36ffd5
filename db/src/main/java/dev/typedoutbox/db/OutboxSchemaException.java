package dev.typedoutbox.db;

/**
 * The outbox's tables are missing, older than this version of the library, or could not be created. The message says
 * what was found and what to do.
 *
 * @since 0.1.0
 */
public final class OutboxSchemaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutboxSchemaException(String message) {
        super(message);
    }

    OutboxSchemaException(String message, Throwable cause) {
        super(message, cause);
    }
}
