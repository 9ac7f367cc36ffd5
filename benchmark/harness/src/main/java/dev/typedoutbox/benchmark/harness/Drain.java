package dev.typedoutbox.benchmark.harness;

import java.util.List;

/**
 * How a backlog came to the consumer.
 *
 * @param events how many
 * @param samples how many messages had come, and when
 * @param costs the processor time that it took, as far as it is known
 */
record Drain(long events, List<Sample> samples, List<Cost> costs) {
    private static final int START_SHARE = 10;

    /**
     * @param seconds since the relay was told to start
     * @param count messages that had come
     */
    record Sample(double seconds, long count) {}

    /**
     * What a part of the machinery used, over the same time as the rate.
     *
     * @param part who
     * @param micros processor time for each event
     */
    record Cost(String part, double micros) {}

    /** The rate once it runs: the first tenth, and with it the start of the relay, does not count. */
    double perSecond() {
        return perSecond(measuredFrom(events), events);
    }

    /** How many messages have come when the measurement begins. */
    static long measuredFrom(long events) {
        return events / START_SHARE;
    }

    /** The rate between two counts. */
    double perSecond(long from, long to) {
        return (to - from) / (secondsAt(to) - secondsAt(from));
    }

    /** When so many had come, on the straight line between the samples around. */
    private double secondsAt(long count) {
        Sample before = new Sample(0, 0);
        for (Sample sample : samples) {
            if (sample.count() >= count) {
                double share = count == before.count()
                        ? 0
                        : (double) (count - before.count()) / (sample.count() - before.count());
                return before.seconds() + share * (sample.seconds() - before.seconds());
            }
            before = sample;
        }
        throw new IllegalArgumentException("count must be at most " + before.count() + " (was " + count + ")");
    }
}
