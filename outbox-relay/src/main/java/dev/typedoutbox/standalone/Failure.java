package dev.typedoutbox.standalone;

import org.jspecify.annotations.Nullable;

/** Ends a command with one line for its user. The message never holds a secret. */
final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    private Failure(int status, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.status = status;
    }

    /** A wrong setting, option or argument. */
    static Failure usage(String message) {
        return new Failure(ExitStatus.USAGE, message, null);
    }

    static Failure nothingFound(String message) {
        return new Failure(ExitStatus.NOTHING_FOUND, message, null);
    }

    static Failure schema(String message, Throwable cause) {
        return new Failure(ExitStatus.SCHEMA, message, cause);
    }

    static Failure of(String message, @Nullable Throwable cause) {
        return new Failure(ExitStatus.FAILURE, message, cause);
    }

    int status() {
        return status;
    }

    String text() {
        return String.valueOf(getMessage());
    }
}
