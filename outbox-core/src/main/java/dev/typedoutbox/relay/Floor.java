package dev.typedoutbox.relay;

import dev.typedoutbox.store.DatabaseSession;
import dev.typedoutbox.store.FloorStore;
import dev.typedoutbox.store.Slots;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The numbers below which nothing is left to be sent, slot by slot. A fetch starts there, because settled rows leave dead
 * entries in the index, which no vacuum may remove while any old snapshot is open, and every fetch would walk over them.
 *
 * <p>A number is drawn before its transaction commits, so a floor may pass it only when nobody can commit it any more. That
 * is found out in rounds: read the last number drawn; collect the transactions that hold a writer's lock on the table, for
 * whoever comes later draws a higher number; wait until these have ended; then find the lowest number that is not
 * settled. Readers are not waited for.
 *
 * <p>A crash or a failover may undo draws, which are then repeated. So a floor counts only in database sessions that were
 * there before its last round began: they would have ended with the server. What comes back below the floor because of
 * somebody else's SQL is found by a sweep from zero, slot by slot; retried dead letters have an index of their own.
 * docs/model explains why all this is needed.
 *
 * <p>Shared by the workers of a relay; one of them tends it at a time.
 */
final class Floor {
    private static final Logger LOG = LoggerFactory.getLogger(Floor.class);
    private static final long BETWEEN_ROUNDS_WHEN_IDLE = Duration.ofMillis(100).toNanos();
    /** Events that are ready to be sent wait for a round no more often than that, and not at all after a rest. */
    private static final long BETWEEN_ROUNDS_WHEN_BUSY = Duration.ofMillis(250).toNanos();

    private static final long BETWEEN_SWEEPS = Duration.ofMinutes(1).toNanos();

    /** How long the sessions that know the floor may stay away before it is begun anew without them. */
    private static final long FORGET_AFTER = Duration.ofSeconds(5).toNanos();

    private static final List<Short> SLOTS =
            IntStream.range(0, Slots.COUNT).mapToObj(slot -> (short) slot).toList();

    private final FloorStore store;
    private final ReentrantLock tending = new ReentrantLock();
    private final long[] sweptAt = new long[Slots.COUNT];
    private long tendedAt;
    private @Nullable Round round;
    private boolean toldUnavailable;
    private volatile long lastTending = System.nanoTime() - BETWEEN_ROUNDS_WHEN_BUSY;
    private volatile long busySince = lastTending;
    private volatile boolean idle;
    private volatile boolean roundIsWanted;
    private volatile boolean forgetting;
    private volatile Known known = Known.NOTHING;

    Floor(RelayConfig config) {
        this.store = new FloorStore(config.schema(), config.holdBack());
        for (int slot = 0; slot < Slots.COUNT; slot++) {
            sweptAt[slot] = lastTending - slot * BETWEEN_SWEEPS / Slots.COUNT;
        }
    }

    /** All slots with their floors, as far as they hold in this session. */
    Slots in(DatabaseSession session) {
        Known now = known;
        if (!forgetting && now.holdsIn(session)) {
            return Slots.all(now.floors());
        }
        // With the next round it will.
        roundIsWanted = true;
        return Slots.all();
    }

    /** Tells that there may be something for the floor to pass. */
    void rowsWereFetched() {
        roundIsWanted = true;
    }

    /** Begins at zero again, because the table may be another one now. */
    void forget() {
        forgetting = true;
    }

    /**
     * Does what is due; most times nothing. To be called in a transaction that has written nothing: what it has settled is
     * not settled before it commits.
     *
     * @param nothingToSend whether the batch is empty
     */
    void tend(DSLContext tx, DatabaseSession session, boolean nothingToSend) {
        if (session.primary() && isDue(nothingToSend) && tending.tryLock()) {
            try {
                long now = System.nanoTime();
                lastTending = now;
                if (forgetting) {
                    // In this order, so that nobody sees the old one in between.
                    known = Known.NOTHING;
                    forgetting = false;
                }
                if (isKnownTo(session, now)) {
                    tendedAt = now;
                    sweep(tx, now);
                    goOn(tx);
                }
            } finally {
                tending.unlock();
            }
        }
    }

    private boolean isDue(boolean nothingToSend) {
        long now = System.nanoTime();
        if (!nothingToSend && idle) {
            busySince = now;
        }
        idle = nothingToSend;
        return nothingToSend
                ? now - lastTending >= BETWEEN_ROUNDS_WHEN_IDLE
                : now - lastTending >= BETWEEN_ROUNDS_WHEN_BUSY && now - busySince >= BETWEEN_ROUNDS_WHEN_BUSY;
    }

    private boolean isKnownTo(DatabaseSession session, long now) {
        if (known.holdsIn(session)) {
            return true;
        }
        if (known.isWorthKeeping() && now - tendedAt < FORGET_AFTER) {
            return false;
        }
        known = new Known(session.server(), now, Known.ZEROS);
        round = null;
        roundIsWanted = true;
        return true;
    }

    private void sweep(DSLContext tx, long now) {
        List<Short> due = SLOTS.stream()
                .filter(slot -> now - sweptAt[slot] >= BETWEEN_SWEEPS)
                .toList();
        due.forEach(slot -> sweptAt[slot] = now);
        if (!due.isEmpty()) {
            known = known.loweredTo(store.lowestUnsettled(tx, Slots.all().only(due)));
        }
    }

    private void goOn(DSLContext tx) {
        Round current = round;
        if (current != null) {
            if (store.writers(tx).stream().anyMatch(current.writers()::contains)) {
                return;
            }
            // A statement of its own: what the awaited ones committed is visible to this snapshot.
            long end = current.last() + 1;
            boolean setBack = known.floors().stream().anyMatch(floor -> floor > end);
            Map<Short, Long> lowest = store.lowestUnsettled(tx, setBack ? Slots.all() : Slots.all(known.floors()));
            known = new Known(known.server(), current.began(), floors(lowest, end));
        }
        round = roundIsWanted ? begin(tx) : null;
    }

    private static List<Long> floors(Map<Short, Long> lowest, long end) {
        return SLOTS.stream()
                .map(slot -> Math.min(end, lowest.getOrDefault(slot, end)))
                .toList();
    }

    private @Nullable Round begin(DSLContext tx) {
        roundIsWanted = false;
        long began = System.nanoTime();
        Optional<Long> last = store.lastNumber(tx);
        if (last.isEmpty()) {
            tellUnavailable();
            return null;
        }
        return new Round(began, last.get(), store.writers(tx));
    }

    private void tellUnavailable() {
        if (!toldUnavailable) {
            toldUnavailable = true;
            LOG.warn(
                    "the sequence of outbox_events.seq must be readable by the relay's role (grant select on it), and count"
                            + " by one with cache 1; until then batches get slower while an old transaction is open");
        }
    }

    private record Round(long began, long last, List<String> writers) {}

    private record Known(String server, long since, List<Long> floors) {
        static final List<Long> ZEROS = Collections.nCopies(Slots.COUNT, 0L);
        static final Known NOTHING = new Known("", 0, ZEROS);

        boolean isWorthKeeping() {
            return !floors.equals(ZEROS);
        }

        boolean holdsIn(DatabaseSession session) {
            return server.equals(session.server()) && session.knownSince() - since < 0;
        }

        Known loweredTo(Map<Short, Long> lowest) {
            List<Long> lowered = new ArrayList<>(floors);
            lowest.forEach((slot, number) -> lowered.set(slot, Math.min(lowered.get(slot), number)));
            return new Known(server, since, lowered);
        }
    }
}
