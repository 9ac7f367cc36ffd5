package dev.typedoutbox.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Arrays;

/** The bounds of the histograms: few, so that they cost little, and fixed, so that those of several processes add up. */
final class Buckets {
    /** For what takes a transaction: 5 ms to a minute. */
    static final Buckets WORK = new Buckets(5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000);

    /** For what takes a round trip to the broker: 1 ms to half a minute. */
    static final Buckets ROUND_TRIP =
            new Buckets(1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000);

    /** For how old an event has become: 1 ms to an hour. */
    static final Buckets AGE = new Buckets(
            1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000, 900_000,
            3_600_000);

    private final Duration[] bounds;

    private Buckets(long... millis) {
        this.bounds = Arrays.stream(millis).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
    }

    Timer timer(MeterRegistry registry, String name, Tags tags, String description) {
        return Timer.builder(name)
                .description(description)
                .tags(tags)
                .serviceLevelObjectives(bounds)
                .register(registry);
    }
}
