package dev.typedoutbox.store;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Has work that nobody waits for rest between its steps: twice as long as the last one took, at most a second. Used by one
 * thread.
 */
final class Pace {
    private static final int RESTS = 2;
    private static final long LONGEST_REST = Duration.ofSeconds(1).toNanos();

    private long took;

    int measure(IntSupplier work) {
        long began = System.nanoTime();
        int result = work.getAsInt();
        took = System.nanoTime() - began;
        return result;
    }

    /** Rests from what was measured last; answers whether to go on, and not if the thread is interrupted. */
    boolean rest() {
        if (Thread.currentThread().isInterrupted()) {
            return false;
        }
        try {
            TimeUnit.NANOSECONDS.sleep(Math.min(RESTS * took, LONGEST_REST));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
