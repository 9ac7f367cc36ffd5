package dev.typedoutbox.metrics;

import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.relay.BatchResult;
import dev.typedoutbox.relay.PublishAttempt;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfigBuilder;
import dev.typedoutbox.relay.RelayObserver;
import dev.typedoutbox.status.OutboxStatus;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * Counts and measures what relays do, in a Micrometer registry; to be given to {@link RelayConfigBuilder#observer}.
 * docs/metrics.md lists the metrics.
 *
 * <p>Counters and timers are registered at once and stay. Gauges are registered while a relay runs that this observes, and
 * removed when the last one has been closed. Where several relays share a registry, counters add up, and gauges tell of the
 * relay that was started last. Those that tell of the outbox ask the database when the registry is read, at most every 5 s;
 * while it does not answer they are NaN, and reading the registry takes 2 s at most because of it.
 *
 * <p>Safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class RelayMetrics implements RelayObserver {
    private final MeterRegistry registry;
    private final RelayMeters meters;
    private final StatusReadings status;

    private RelayMetrics(MeterRegistry registry, OutboxStatus status) {
        this.registry = Objects.requireNonNull(registry, "registry");
        this.meters = new RelayMeters(registry);
        this.status = new StatusReadings(status::read);
    }

    /**
     * Metrics of relays whose outbox lies in schema {@value OutboxSchema#DEFAULT_SCHEMA}.
     *
     * @param registry where they are registered
     * @param dataSource the outbox's database; a pool should have a connection to spare, or the gauges are NaN while it has
     *     none
     * @return an observer for relays
     */
    public static RelayMetrics of(MeterRegistry registry, DataSource dataSource) {
        return of(registry, dataSource, OutboxSchema.DEFAULT_SCHEMA);
    }

    /**
     * Metrics of relays whose outbox lies in the named schema.
     *
     * @param registry where they are registered
     * @param dataSource the outbox's database; a pool should have a connection to spare, or the gauges are NaN while it has
     *     none
     * @param schema as the database spells it, capitals kept
     * @return an observer for relays
     * @throws IllegalArgumentException if the name is no schema's: see {@link OutboxSchema#requireName}
     */
    public static RelayMetrics of(MeterRegistry registry, DataSource dataSource, String schema) {
        return new RelayMetrics(registry, OutboxStatus.of(dataSource, schema));
    }

    @Override
    public void started(Relay relay) {
        RelayGauges.started(registry, new RunningRelay(relay, status));
    }

    @Override
    public void stopped(Relay relay) {
        RelayGauges.stopped(registry, new RunningRelay(relay, status));
    }

    @Override
    public void batchDone(BatchResult result, Duration took, List<PublishAttempt> attempts) {
        meters.batchDone(result, took, attempts);
    }

    @Override
    public void batchFailed(Exception failure) {
        meters.batchFailed();
    }
}
