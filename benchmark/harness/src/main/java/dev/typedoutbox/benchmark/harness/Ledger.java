package dev.typedoutbox.benchmark.harness;

import dev.typedoutbox.benchmark.contender.Backlog;
import dev.typedoutbox.benchmark.contender.Payload;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What arrived, in the order of its arrival. Used by one thread at a time. */
final class Ledger {
    private final Backlog expected;
    private final boolean ordered;
    private final BitSet arrived = new BitSet();
    private final Set<String> ids = new HashSet<>();
    private final long[] last;

    private long repeated;
    private long repeatedIds;
    private long disordered;
    private long unknown;

    Ledger(Backlog expected, boolean ordered) {
        this.expected = expected;
        this.ordered = ordered;
        this.last = new long[expected.aggregates()];
        Arrays.fill(last, -1);
    }

    long add(byte[] body, @Nullable String messageId) {
        return add(Payload.number(body), messageId);
    }

    synchronized long add(long number, @Nullable String messageId) {
        if (number >= expected.events()) {
            unknown++;
            return number;
        }
        if (arrived.get((int) number)) {
            repeated++;
        }
        arrived.set((int) number);
        if (messageId != null && !ids.add(messageId)) {
            repeatedIds++;
        }
        int aggregate = (int) (number % expected.aggregates());
        if (number < last[aggregate]) {
            disordered++;
        }
        last[aggregate] = number;
        return number;
    }

    synchronized long arrived() {
        return arrived.cardinality();
    }

    /** Fails unless all events arrived, once each, those of an aggregate in their order where that is promised. */
    synchronized void check() throws ContenderFailure {
        long missing = expected.events() - arrived();
        boolean wrongOrder = ordered && disordered > 0;
        if (missing > 0 || repeated > 0 || repeatedIds > 0 || unknown > 0 || wrongOrder) {
            throw new ContenderFailure("wrong events: " + missing + " missing, " + repeated + " repeated, "
                    + repeatedIds + " with an id of another, " + unknown + " unknown, " + disordered
                    + (ordered ? " out of order" : " out of order, which was not promised"));
        }
    }
}
