package dev.typedoutbox.rabbit;

import java.time.Duration;
import org.slf4j.event.Level;

/** Warns when trouble begins and once a minute while it lasts; what comes between is seen at DEBUG. */
final class QuietedWarnings {
    private static final long INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

    private long lastWarning = System.nanoTime() - INTERVAL_NANOS;

    Level next() {
        long now = System.nanoTime();
        if (now - lastWarning < INTERVAL_NANOS) {
            return Level.DEBUG;
        }
        lastWarning = now;
        return Level.WARN;
    }

    void reset() {
        lastWarning = System.nanoTime() - INTERVAL_NANOS;
    }
}
