package dev.typedoutbox.relay;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;

/**
 * When a refused event is tried again, and when it is given up as a dead letter.
 *
 * <p>The wait before attempt {@code n + 1} lies at random between half of and the whole of {@code base * 2^n} or of
 * {@code cap}, whichever is less, but never below {@code base}.
 *
 * @param maxAttempts how many attempts may fail before the event is a dead letter; 1 or more; the number of times that a
 *     hopeless event is really sent
 * @param base the shortest wait; 1 ms to 365 days
 * @param cap the longest wait; not below {@code base}, and at most 365 days
 * @since 0.1.0
 */
public record RetryPolicy(int maxAttempts, Duration base, Duration cap) {
    private static final Duration LONGEST = Duration.ofDays(365);

    /** Eight attempts, waits from one second to five minutes. */
    public static final RetryPolicy DEFAULT = new RetryPolicy(8, Duration.ofSeconds(1), Duration.ofMinutes(5));

    private static final double SMALLEST_SHARE = 0.5;

    /**
     * Checks the rules.
     *
     * @param maxAttempts how many attempts may fail
     * @param base the shortest wait
     * @param cap the longest wait
     * @throws IllegalArgumentException if a rule is broken
     */
    public RetryPolicy {
        Objects.requireNonNull(base, "base");
        Objects.requireNonNull(cap, "cap");
        if (maxAttempts < 1) {
            throw new IllegalArgumentException("maxAttempts must be at least 1 (was " + maxAttempts + ")");
        }
        Settings.requireBetween("base", LONGEST, base);
        Settings.requireBetween("cap", LONGEST, cap);
        if (cap.compareTo(base) < 0) {
            throw new IllegalArgumentException("cap must be at least base " + base + " (was " + cap + ")");
        }
    }

    /**
     * Tells whether an event is given up.
     *
     * @param failedAttempts how many attempts have failed, the last one included
     * @return whether it is to become a dead letter
     */
    public boolean isExhausted(int failedAttempts) {
        return failedAttempts >= maxAttempts;
    }

    /**
     * Draws the wait before the next attempt.
     *
     * @param failedAttempts how many attempts have failed, the last one included; any number
     * @return between {@code base} and {@code cap}
     */
    public Duration nextDelay(int failedAttempts) {
        double share = ThreadLocalRandom.current().nextDouble(SMALLEST_SHARE, 1);
        double longest = Math.min(base.toMillis() * Math.pow(2, Math.max(0, failedAttempts)), (double) cap.toMillis());
        Duration drawn = Duration.ofMillis((long) (longest * share));
        return drawn.compareTo(base) < 0 ? base : drawn;
    }
}
