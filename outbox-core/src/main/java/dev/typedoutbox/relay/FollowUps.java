package dev.typedoutbox.relay;

import java.time.Duration;

/**
 * When a relay that has fallen asleep looks again: after 10, 20, 40 ms and so on, up to the fallback poll. So an event of
 * which nobody told, because its writer began while the relay was awake, waits no longer than its transaction took.
 */
final class FollowUps {
    private static final Duration FIRST = Duration.ofMillis(10);

    private final Duration longest;
    private Duration step = FIRST;
    private long dueAt;

    FollowUps(Duration longest) {
        this.longest = longest;
        beginAgain();
    }

    void beginAgain() {
        plan(FIRST);
    }

    void next() {
        plan(step.multipliedBy(2));
    }

    boolean isDue() {
        return left().compareTo(Duration.ZERO) <= 0;
    }

    /** The time until the next; zero or less when it is due. */
    Duration left() {
        return Duration.ofNanos(dueAt - System.nanoTime());
    }

    private void plan(Duration next) {
        step = next.compareTo(longest) < 0 ? next : longest;
        dueAt = System.nanoTime() + step.toNanos();
    }
}
