package dev.typedoutbox.relay;

import java.util.Objects;

/**
 * What became of one attempt to publish one event.
 *
 * @param kind what the relay makes of it
 * @param reason why, in the broker's words where it gave any; empty when confirmed
 */
public record PublishOutcome(Kind kind, String reason) {
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

    private static final PublishOutcome CONFIRMED = new PublishOutcome(Kind.CONFIRMED, "");

    /**
     * Checks the parts.
     *
     * @param kind what the relay makes of it
     * @param reason why
     */
    public PublishOutcome {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(reason, "reason");
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
        return new PublishOutcome(Kind.REFUSED, reason);
    }

    /**
     * It is not known whether the broker has the event.
     *
     * @param reason why
     * @return the outcome
     */
    public static PublishOutcome unknown(String reason) {
        return new PublishOutcome(Kind.UNKNOWN, reason);
    }
}
