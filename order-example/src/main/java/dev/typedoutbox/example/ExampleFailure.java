package dev.typedoutbox.example;

import org.jspecify.annotations.Nullable;

/** Ends the run. The message is the whole answer: which option, its rule, its value and what to do. */
final class ExampleFailure extends RuntimeException {
    static final int BAD_OPTION = 2;
    static final int FAILED = 1;
    private static final long serialVersionUID = 1L;

    private final int exitStatus;

    private ExampleFailure(String message, @Nullable Throwable cause, int exitStatus) {
        super(message, cause);
        this.exitStatus = exitStatus;
    }

    static ExampleFailure badOption(String message) {
        return new ExampleFailure(message, null, BAD_OPTION);
    }

    static ExampleFailure of(String message, @Nullable Throwable cause) {
        return new ExampleFailure(message, cause, FAILED);
    }

    int exitStatus() {
        return exitStatus;
    }
}
