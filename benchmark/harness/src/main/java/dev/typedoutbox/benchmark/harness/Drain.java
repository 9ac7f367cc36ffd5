package dev.typedoutbox.benchmark.harness;

import java.util.List;

/**
 * How a backlog went into the queue.
 *
 * @param events how many
 * @param samples how many messages the queue held, and when
 */
record Drain(long events, List<Sample> samples) {
    /**
     * @param seconds since the relay was told to start
     * @param count messages in the queue
     */
    record Sample(double seconds, long count) {}

    double perSecond() {
        return events / secondsAt(events);
    }

    /** The rate between two counts. */
    double perSecond(long from, long to) {
        return (to - from) / (secondsAt(to) - secondsAt(from));
    }

    /** When the queue held so many, on the straight line between the samples around. */
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
