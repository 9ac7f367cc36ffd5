package dev.typedoutbox.consumer;

import org.jooq.exception.DataAccessException;

/** The event's record could not be written in time, since another delivery of it or somebody's lock is in the way. */
final class RecordHeldException extends DataAccessException {
    private static final long serialVersionUID = 1L;

    RecordHeldException(String message, Throwable cause) {
        super(message, cause);
    }
}
