package dev.typedoutbox.consumer;

import org.jooq.exception.DataAccessException;

/** The database cannot be reached, or cannot record what is applied, which is no fault of an event's. */
final class DatabaseLostException extends DataAccessException {
    private static final long serialVersionUID = 1L;

    DatabaseLostException(String message, Throwable cause) {
        super(message, cause);
    }
}
