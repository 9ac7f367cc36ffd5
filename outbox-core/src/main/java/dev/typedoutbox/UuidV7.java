package dev.typedoutbox;

import java.security.SecureRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Time-ordered ids, which keep the primary key's index dense: RFC 9562, version 7, with the 12 bits after the millisecond
 * as a counter, so that the ids of one process rise strictly.
 */
final class UuidV7 {
    private static final int COUNTER_BITS = 12;
    private static final long VERSION = 0x7000L;
    private static final long VARIANT = 0x8000_0000_0000_0000L;
    private static final long RANDOM = 0x3FFF_FFFF_FFFF_FFFFL;
    private static final SecureRandom SECURE_RANDOM = new SecureRandom();
    private static final AtomicLong LAST = new AtomicLong();

    private UuidV7() {}

    static UUID next() {
        long now = System.currentTimeMillis() << COUNTER_BITS;
        long stamp = LAST.updateAndGet(last -> Math.max(last + 1, now));
        long millis = stamp >>> COUNTER_BITS;
        long counter = stamp & ((1 << COUNTER_BITS) - 1);
        return new UUID(millis << 16 | VERSION | counter, VARIANT | (SECURE_RANDOM.nextLong() & RANDOM));
    }
}
