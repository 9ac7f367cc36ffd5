package dev.typedoutbox.property;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What the broker saw of one batch. Guarded by the {@link Ledger}. */
final class Sending {
    final int relay;

    /** When it began, by the ledger's clock. */
    final long began;

    final Set<Entry> sent = new HashSet<>();
    final List<Entry> confirmed = new ArrayList<>();
    final List<Entry> refused = new ArrayList<>();
    int unknown;

    /** Whether events are in flight now, which means that the batch has not been committed yet. */
    boolean publishing;

    /** Whether its locks are gone, without the relay's knowledge: another relay may do the same at the same time. */
    boolean sessionEnded;

    Sending(int relay, long began) {
        this.relay = relay;
        this.began = began;
    }
}
