package dev.typedoutbox.consumer;

import dev.typedoutbox.OutboxEvent;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What became of one of several events that were handed over together.
 *
 * @param event the event
 * @param kind what became of it
 * @param failure why it could not be applied; null unless it {@link Kind#FAILED}
 * @since 0.1.0
 */
public record ApplyOutcome(
        OutboxEvent event, Kind kind, @Nullable Throwable failure) {
    /** What can become of an event. */
    public enum Kind {
        /** The handler ran and its work is committed. */
        APPLIED,
        /** The event had been applied before; the handler did not run. */
        DUPLICATE,
        /** The handler failed, and everything that it did in the database was rolled back. */
        FAILED,
        /**
         * Not tried, because an earlier event of its aggregate failed, or because its record could not be written in time, as
         * while another delivery of it is being applied. No fault of its own.
         */
        HELD_BACK
    }

    /**
     * Checks that a failure is there where one is told, and nowhere else.
     *
     * @param event the event
     * @param kind what became of it
     * @param failure why it could not be applied; null unless it failed
     * @throws IllegalArgumentException if not
     */
    public ApplyOutcome {
        Objects.requireNonNull(event, "event");
        Objects.requireNonNull(kind, "kind");
        if ((kind == Kind.FAILED) != (failure != null)) {
            throw new IllegalArgumentException("failure must be there if the event failed, and only then (was "
                    + failure + ", with " + kind + ")");
        }
    }

    /**
     * The outcome of an event that was applied, or had been before.
     *
     * @param event the event
     * @param applied which of the two
     * @return the outcome
     */
    public static ApplyOutcome of(OutboxEvent event, Applied applied) {
        return new ApplyOutcome(event, applied == Applied.APPLIED ? Kind.APPLIED : Kind.DUPLICATE, null);
    }

    /**
     * The outcome of an event that could not be applied.
     *
     * @param event the event
     * @param failure why
     * @return the outcome
     */
    public static ApplyOutcome failed(OutboxEvent event, Throwable failure) {
        return new ApplyOutcome(event, Kind.FAILED, failure);
    }

    /**
     * The outcome of an event behind one that failed.
     *
     * @param event the event
     * @return the outcome
     */
    public static ApplyOutcome heldBack(OutboxEvent event) {
        return new ApplyOutcome(event, Kind.HELD_BACK, null);
    }

    /**
     * Tells whether the event's delivery can be acknowledged.
     *
     * @return true if it was applied, now or before
     */
    public boolean isDone() {
        return kind == Kind.APPLIED || kind == Kind.DUPLICATE;
    }
}
