package dev.typedoutbox.benchmark.harness;

import dev.typedoutbox.benchmark.contender.Backlog;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * What a queue is filled with: the events of a backlog, in their order, and of some a second message with the same id, as
 * a relay publishes it after a crash. An event's id tells its number.
 */
final class Feed {
    static final int COPIES_PERCENT = 30;

    /** What {@link #number} answers for an id of another feed; no event has it. */
    static final long UNKNOWN = Long.MAX_VALUE;

    private static final int GROUP = 10;
    /** After how many other events the copies come, of the first three events of each group: together, soon and late. */
    private static final int[] DISTANCES = {0, 50, 5_000};

    private static final long VERSION = 7L << 12;
    private static final long VARIANT = 1L << 63;
    private static final int COUNTER_BITS = 12;

    private final Backlog events;
    private final int copied;
    private final long millis = System.currentTimeMillis();

    private Feed(Backlog events, int copied) {
        this.events = events;
        this.copied = copied;
    }

    static Feed once(Backlog events) {
        return new Feed(events, 0);
    }

    /** Of 30 % of the events there are two messages. */
    static Feed withCopies(Backlog events) {
        return new Feed(events, DISTANCES.length);
    }

    Backlog events() {
        return events;
    }

    boolean hasCopies() {
        return copied > 0;
    }

    /** How many messages there are, each copy counted. */
    long messages() {
        return numbers().count();
    }

    /** The numbers of the events, in the order of their messages. */
    LongStream numbers() {
        return LongStream.range(0, events.events() + DISTANCES[DISTANCES.length - 1])
                .flatMap(number -> LongStream.concat(LongStream.of(number), copiesAfter(number)))
                .filter(number -> number < events.events());
    }

    private LongStream copiesAfter(long number) {
        return IntStream.range(0, copied)
                .filter(place -> number >= DISTANCES[place] && (number - DISTANCES[place]) % GROUP == place)
                .mapToLong(place -> number - DISTANCES[place]);
    }

    /** Of the form that the library writes, version 7 of UUID, because the index of the consumer's records likes it. */
    UUID id(long number) {
        long time = millis + (number >> COUNTER_BITS);
        long counter = number & ((1 << COUNTER_BITS) - 1);
        return new UUID(time << 16 | VERSION | counter, VARIANT | number);
    }

    /** The number of the event with this id, or {@link #UNKNOWN}. */
    long number(UUID id) {
        long number = id.getLeastSignificantBits() & ~VARIANT;
        return number < events.events() && id.equals(id(number)) ? number : UNKNOWN;
    }
}
