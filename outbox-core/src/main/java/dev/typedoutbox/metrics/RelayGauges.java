package dev.typedoutbox.metrics;

import dev.typedoutbox.relay.RelayState;
import dev.typedoutbox.status.OutboxStatus;
import dev.typedoutbox.status.StatusReport;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The gauges of one registry. They tell of the relay that was started last, and are registered while one runs. Held here for
 * as long, since registries hold what they measure by weak references alone.
 */
final class RelayGauges {
    private static final IdentityHashMap<MeterRegistry, RelayGauges> SHOWN = new IdentityHashMap<>();
    private static final String BOUND = "counted up to " + OutboxStatus.COUNT_LIMIT;

    private final MeterRegistry registry;
    private final List<Meter> meters = new ArrayList<>();
    private final List<RunningRelay> running = new ArrayList<>();
    private volatile @Nullable RunningRelay newest;

    private RelayGauges(MeterRegistry registry) {
        this.registry = registry;
    }

    static void started(MeterRegistry registry, RunningRelay relay) {
        synchronized (SHOWN) {
            SHOWN.computeIfAbsent(registry, RelayGauges::new).add(relay);
        }
    }

    static void stopped(MeterRegistry registry, RunningRelay relay) {
        synchronized (SHOWN) {
            RelayGauges gauges = SHOWN.get(registry);
            if (gauges != null && gauges.isEmptyWithout(relay)) {
                SHOWN.remove(registry);
            }
        }
    }

    private void add(RunningRelay relay) {
        running.add(relay);
        newest = relay;
        if (meters.isEmpty()) {
            registerOfStatus();
            registerOfRelay();
        }
    }

    private boolean isEmptyWithout(RunningRelay relay) {
        running.remove(relay);
        if (running.isEmpty()) {
            newest = null;
            meters.forEach(registry::remove);
            return true;
        }
        newest = running.get(running.size() - 1);
        return false;
    }

    private void registerOfStatus() {
        ofStatus(
                "outbox.events.pending",
                "Events still to be sent, " + BOUND,
                report -> report.pending().value());
        ofStatus(
                "outbox.oldest.pending.age.seconds",
                "Age of the oldest event still to be sent",
                report -> seconds(report.oldestPendingAge()));
        ofStatus(
                "outbox.dead.letters",
                "Dead letters, " + BOUND,
                report -> report.deadLetters().value());
        ofStatus(
                "outbox.slots.busy",
                "Slots that batches of all relays hold, of " + StatusReport.SLOTS,
                StatusReport::slotsBusy);
        ofStatus(
                "outbox.relays",
                "Relays of this outbox that listen",
                report -> report.relays().size());
        ofStatus(
                "outbox.notification.queue.usage.ratio",
                "How full the database server's queue of notifications is, 0 to 1",
                StatusReport::notificationQueueUsage);
    }

    private void registerOfRelay() {
        register(Gauge.builder(
                        "outbox.relay.listening",
                        () -> ofNewest(relay -> oneIf(relay.relay().isListening())))
                .description("1 while the relay listens for new events, 0 while it polls"));
        for (RelayState state : RelayState.values()) {
            register(Gauge.builder(
                            "outbox.relay.state",
                            () -> ofNewest(relay -> oneIf(relay.relay().state() == state)))
                    .description("1 for the state that the relay is in, 0 for the others")
                    .tag("state", state.name().toLowerCase(Locale.ROOT)));
        }
    }

    private void ofStatus(String name, String description, ToDoubleFunction<StatusReport> part) {
        register(Gauge.builder(name, () -> ofNewest(relay -> relay.status().value(part)))
                .description(description));
    }

    private void register(Gauge.Builder<?> gauge) {
        meters.add(gauge.register(registry));
    }

    private double ofNewest(ToDoubleFunction<RunningRelay> value) {
        RunningRelay relay = newest;
        return relay == null ? Double.NaN : value.applyAsDouble(relay);
    }

    private static double oneIf(boolean condition) {
        return condition ? 1 : 0;
    }

    private static double seconds(@Nullable Duration age) {
        return age == null ? 0 : age.toMillis() / 1000.0;
    }
}
