package dev.typedoutbox.metrics;

import java.time.Duration;
import java.time.Instant;

/** How old an event has become: by two clocks, which may differ, and since a time that its writer may have made up. */
final class Age {
    /** A registry takes no more than 292 years. */
    static final Duration MOST = Duration.ofDays(36_500);

    private Age() {}

    /** From nothing to {@link #MOST}. */
    static Duration of(Instant createdAt, Instant now) {
        Duration age = Duration.between(createdAt, now);
        if (age.isNegative()) {
            return Duration.ZERO;
        }
        return age.compareTo(MOST) < 0 ? age : MOST;
    }
}
