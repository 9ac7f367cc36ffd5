package dev.typedoutbox.benchmark.own;

import java.util.SplittableRandom;
import java.util.UUID;

/** Ids of the form that the library writes: version 7 of UUID, whose first part is the time. */
final class TimeOrderedId {
    private static final long VERSION = 7L << 12;
    private static final long VARIANT = 1L << 63;
    private static final int COUNTER_BITS = 12;

    private final SplittableRandom random = new SplittableRandom();
    private final long millis = System.currentTimeMillis();
    private long count;

    UUID next() {
        long time = millis + (count >> COUNTER_BITS);
        long counter = count++ & ((1 << COUNTER_BITS) - 1);
        return new UUID(time << 16 | VERSION | counter, VARIANT | random.nextLong() >>> 2);
    }
}
