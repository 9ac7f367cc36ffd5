package dev.typedoutbox.relay;

/**
 * What becomes of an event's row when the broker has confirmed it.
 *
 * @since 0.1.0
 */
public enum PublishedRows {
    /**
     * It is marked as processed and stays, for whoever wants to look it up. Something has to delete it some day: see
     * {@link dev.typedoutbox.cleanup.Cleanup}.
     */
    KEEP("marked"),
    /**
     * It is deleted, in the transaction that would have marked it. The table holds only what is still to be sent, dead
     * letters, and those of them that were discarded. What was published cannot be looked up, and an id that is written
     * once more is not refused.
     */
    DELETE("deleted");

    private final String done;

    PublishedRows(String done) {
        this.done = done;
    }

    /** What has been done to the row, for a sentence about it. */
    String done() {
        return done;
    }
}
