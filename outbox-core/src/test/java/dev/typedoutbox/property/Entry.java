package dev.typedoutbox.property;

import java.util.List;
import java.util.UUID;

/** What should be so of one event. Guarded by its {@link Ledger}. */
final class Entry {
    /** How far the event's own transaction has come. */
    enum Stage {
        WRITTEN,
        COMMITTED,
        ROLLED_BACK,
        DISCARDED
    }

    final UUID id;
    final String aggregate;

    /** The events of its aggregate that were written before it. */
    final List<Entry> earlier;

    Stage stage = Stage.WRITTEN;
    boolean arrived;
    boolean confirmed;
    boolean marked;
    boolean waiting;
    boolean dead;
    int attempts;

    /** Refused in batches that have not ended yet. */
    int refusalsUnderWay;

    /** When it was last dead and was retried, by the ledger's clock. */
    long revived;

    Entry(UUID id, String aggregate, List<Entry> earlier) {
        this.id = id;
        this.aggregate = aggregate;
        this.earlier = earlier;
    }

    /** Its place in its aggregate, the first being 1. */
    int place() {
        return earlier.size() + 1;
    }

    boolean isCommitted() {
        return stage == Stage.COMMITTED;
    }

    @Override
    public String toString() {
        return "event " + place() + " of aggregate " + aggregate;
    }
}
