package dev.typedoutbox.relay;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** How long to wait while the broker or the database is away: longer each time, with jitter, up to a bound. */
final class Backoff {
    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private Duration next = FIRST;

    Duration next() {
        long millis = next.toMillis();
        next = next.multipliedBy(2).compareTo(LONGEST) < 0 ? next.multipliedBy(2) : LONGEST;
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(millis / 2, millis + 1));
    }

    void reset() {
        next = FIRST;
    }
}
