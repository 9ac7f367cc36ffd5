package dev.typedoutbox.admin;

import dev.typedoutbox.relay.BatchResult;
import dev.typedoutbox.relay.PublishAttempt;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayObserver;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the relays of this process did, second by second, in the last ten minutes. */
final class Activity implements RelayObserver {
    static final int SECONDS = 600;
    private static final double MEDIAN = 0.5;
    private static final double NEARLY_ALL = 0.99;

    private final Clock clock;
    private final LocalRelays relays = new LocalRelays();
    private final Deque<Second> past = new ArrayDeque<>();
    private final long since;
    private Tally current;

    Activity(Clock clock) {
        this.clock = clock;
        this.since = now();
        this.current = new Tally(since);
    }

    /** The second since which something would have been heard. */
    long since() {
        return since;
    }

    LocalRelays relays() {
        return relays;
    }

    @Override
    public void started(Relay relay) {
        relays.add(relay);
    }

    @Override
    public void stopped(Relay relay) {
        relays.remove(relay);
    }

    @Override
    public synchronized void batchDone(BatchResult result, Duration took, List<PublishAttempt> attempts) {
        turnOver();
        current.add(result, attempts);
    }

    /** The seconds after the given one that are over and in which something happened, oldest first. */
    synchronized List<Second> after(long second) {
        turnOver();
        return past.stream().filter(each -> each.epochSecond() > second).toList();
    }

    private void turnOver() {
        long now = now();
        if (now == current.epochSecond) {
            return;
        }
        if (current.hasHappened()) {
            past.add(current.toSecond());
        }
        while (!past.isEmpty() && past.getFirst().epochSecond() < now - SECONDS) {
            past.removeFirst();
        }
        current = new Tally(now);
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }

    /**
     * What happened in one second.
     *
     * @param epochSecond which, by this machine's clock
     * @param published how many events the broker confirmed
     * @param refused how many attempts it refused
     * @param dead how many events became dead letters
     * @param medianMillis the median of the times from the write to the confirmation; null where none was confirmed
     * @param slowMillis what 99 of 100 of these times stay within; null where none was confirmed
     */
    record Second(
            long epochSecond,
            long published,
            long refused,
            long dead,
            @Nullable Double medianMillis,
            @Nullable Double slowMillis) {}

    private static final class Tally {
        private final long epochSecond;
        private final DelayHistogram delays = new DelayHistogram();
        private long published;
        private long refused;
        private long dead;

        Tally(long epochSecond) {
            this.epochSecond = epochSecond;
        }

        void add(BatchResult result, List<PublishAttempt> attempts) {
            published += result.published();
            refused += result.refused();
            dead += result.dead();
            attempts.stream().filter(Tally::isConfirmed).map(Tally::delay).forEach(delays::add);
        }

        boolean hasHappened() {
            return published + refused + dead > 0;
        }

        Second toSecond() {
            return delays.isEmpty()
                    ? new Second(epochSecond, published, refused, dead, null, null)
                    : new Second(
                            epochSecond, published, refused, dead, delays.millis(MEDIAN), delays.millis(NEARLY_ALL));
        }

        private static boolean isConfirmed(PublishAttempt attempt) {
            return attempt.outcome().kind() == PublishOutcome.Kind.CONFIRMED;
        }

        /** Of two clocks, this machine's and the database's: nothing is confirmed before it was written. */
        private static Duration delay(PublishAttempt attempt) {
            Duration delay = Duration.between(
                    attempt.event().createdAt(), attempt.sentAt().plus(attempt.took()));
            return delay.isNegative() ? Duration.ZERO : delay;
        }
    }
}
