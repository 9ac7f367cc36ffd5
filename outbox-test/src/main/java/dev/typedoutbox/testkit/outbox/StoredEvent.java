package dev.typedoutbox.testkit.outbox;

import dev.typedoutbox.OutboxEvent;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A row of an outbox, as it was when it was read.
 *
 * @param event what its message carries
 * @param state what is to become of it
 * @param attempts how many attempts to publish it have failed
 * @param retryAfter when it may be tried again, by the database's clock; null if it has never failed or is dead
 * @param lastError why the last attempt failed, or why it was discarded; null if neither was
 * @since 0.1.0
 */
public record StoredEvent(
        OutboxEvent event,
        State state,
        int attempts,
        @Nullable Instant retryAfter,
        @Nullable String lastError) {
    /** What is to become of a row. */
    public enum State {
        /** To be sent as soon as a relay looks, unless an earlier event of its aggregate holds it back. */
        DUE,
        /** To be sent, but not before its retry is due. */
        WAITING,
        /** Published and confirmed; or discarded by an operator, which {@link StoredEvent#lastError} then tells. */
        PROCESSED,
        /** A dead letter. */
        DEAD
    }

    /**
     * Checks that nothing is missing.
     *
     * @param event what its message carries
     * @param state what is to become of it
     * @param attempts how many attempts to publish it have failed
     * @param retryAfter when it may be tried again
     * @param lastError why the last attempt failed
     */
    public StoredEvent {
        Objects.requireNonNull(event, "event");
        Objects.requireNonNull(state, "state");
    }
}
