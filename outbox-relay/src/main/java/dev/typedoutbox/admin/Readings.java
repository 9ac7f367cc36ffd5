package dev.typedoutbox.admin;

import dev.typedoutbox.status.OutboxStatus;
import dev.typedoutbox.status.StatusReport;
import dev.typedoutbox.status.TypeCount;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Asks the database how the outbox does, about once a second at most whoever wants to know, and remembers ten minutes. */
final class Readings {
    static final Duration KEPT = Duration.ofSeconds(Activity.SECONDS);
    static final int TYPES = 10;
    private static final Duration FRESH = Duration.ofMillis(900);
    private static final Duration FRESH_TYPES = Duration.ofMillis(2_900);
    private static final long PATIENCE_SECONDS = 5;

    private final OutboxStatus status;
    private final Clock clock;
    private final ReentrantLock asking = new ReentrantLock();
    private final Deque<Reading> past = new ArrayDeque<>();
    private List<TypeCount> types = List.of();
    private long typesAtMillis;

    Readings(OutboxStatus status, Clock clock) {
        this.status = status;
        this.clock = clock;
    }

    /** The last answer while it is fresh, else a new one. Throws what the database throws. */
    Reading current() throws InterruptedException {
        if (!asking.tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the database still owes the answer to an earlier question");
        }
        try {
            Reading last = last();
            return last != null && isFresh(last.atMillis(), FRESH) ? last : ask();
        } finally {
            asking.unlock();
        }
    }

    /** What is remembered, oldest first. */
    List<Reading> all() {
        synchronized (past) {
            return List.copyOf(past);
        }
    }

    private Reading ask() {
        StatusReport report = status.read();
        if (report.pending().value() == 0) {
            types = List.of();
            typesAtMillis = 0;
        } else if (!isFresh(typesAtMillis, FRESH_TYPES)) {
            types = status.pendingByType(TYPES);
            typesAtMillis = clock.millis();
        }
        Reading reading = new Reading(clock.millis(), report, types);
        remember(reading);
        return reading;
    }

    private boolean isFresh(long atMillis, Duration span) {
        return Math.abs(clock.millis() - atMillis) < span.toMillis();
    }

    private void remember(Reading reading) {
        synchronized (past) {
            past.add(reading);
            while (past.getFirst().atMillis() < reading.atMillis() - KEPT.toMillis()) {
                past.removeFirst();
            }
        }
    }

    private @Nullable Reading last() {
        synchronized (past) {
            return past.peekLast();
        }
    }
}
