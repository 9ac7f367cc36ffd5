package dev.typedoutbox.relay;

import java.util.Objects;

/**
 * What became of one attempt to publish one event.
 *
 * @param kind what the relay makes of it
 * @param reason why, in the broker's words where it gave any; empty when confirmed
 * @param refusal in which way it was refused, for those who count; {@link Refusal#NONE} unless it was
 * @since 0.1.0
 */
public record PublishOutcome(Kind kind, String reason, Refusal refusal) {
    /** What the relay makes of an attempt. */
    public enum Kind {
        /** The broker has taken responsibility for the event and routed it: the row is marked as processed. */
        CONFIRMED,
        /** The broker, or a rule of its protocol, refused this event: an attempt is counted and a retry planned. */
        REFUSED,
        /**
         * Nothing is known: the connection was lost, the broker blocked, or the confirmation did not come in time. No
         * attempt is counted; the event is sent again, with the same message id.
         */
        UNKNOWN
    }

    /** In which way an event was refused. The relay does the same in all of them. */
    public enum Refusal {
        /** It was not. */
        NONE,
        /** The broker sent it back, since no queue takes it. */
        RETURNED,
        /** The broker answered with a negative acknowledgement. */
        NACKED,
        /** In another way, or before it was sent. */
        OTHER
    }

    private static final PublishOutcome CONFIRMED = new PublishOutcome(Kind.CONFIRMED, "", Refusal.NONE);

    /**
     * Checks the parts.
     *
     * @param kind what the relay makes of it
     * @param reason why
     * @param refusal in which way it was refused
     * @throws IllegalArgumentException if a refused event has no way of refusal, or another one has
     */
    public PublishOutcome {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(refusal, "refusal");
        if ((kind == Kind.REFUSED) == (refusal == Refusal.NONE)) {
            throw new IllegalArgumentException(
                    "refusal must be NONE unless the event was refused (was " + refusal + ", with " + kind + ")");
        }
    }

    /**
     * The broker confirmed the event.
     *
     * @return the outcome
     */
    public static PublishOutcome confirmed() {
        return CONFIRMED;
    }

    /**
     * The event was refused for what it is or for where it was to go.
     *
     * @param reason why
     * @return the outcome
     */
    public static PublishOutcome refused(String reason) {
        return new PublishOutcome(Kind.REFUSED, reason, Refusal.OTHER);
    }

    /**
     * The broker sent the event back, since no queue takes it. Counts as refused.
     *
     * @param reason why
     * @return the outcome
     */
    public static PublishOutcome returned(String reason) {
        return new PublishOutcome(Kind.REFUSED, reason, Refusal.RETURNED);
    }

    /**
     * The broker answered with a negative acknowledgement. Counts as refused.
     *
     * @param reason why
     * @return the outcome
     */
    public static PublishOutcome nacked(String reason) {
        return new PublishOutcome(Kind.REFUSED, reason, Refusal.NACKED);
    }

    /**
     * It is not known whether the broker has the event.
     *
     * @param reason why
     * @return the outcome
     */
    public static PublishOutcome unknown(String reason) {
        return new PublishOutcome(Kind.UNKNOWN, reason, Refusal.NONE);
    }
}
