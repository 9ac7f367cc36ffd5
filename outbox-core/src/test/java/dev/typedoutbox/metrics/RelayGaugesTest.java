package dev.typedoutbox.metrics;

import static dev.typedoutbox.metrics.Scrape.value;
import static dev.typedoutbox.relay.RelayFixture.awaitPending;
import static dev.typedoutbox.relay.RelayFixture.eventually;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.relay.EventPublisher;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfigBuilder;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The gauges' own life: whose they are, and how long they are there. */
@Timeout(60)
class RelayGaugesTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();
    private static final Set<String> GAUGES = Set.of(
            "outbox_events_pending",
            "outbox_oldest_pending_age_seconds",
            "outbox_dead_letters",
            "outbox_relay_state",
            "outbox_relay_listening",
            "outbox_notification_queue_usage_ratio",
            "outbox_slots_busy",
            "outbox_relays");
    private static final String RUNNING = "outbox_relay_state{state=\"running\"}";
    private static final String WAITING_FOR_BROKER = "outbox_relay_state{state=\"waiting_for_broker\"}";

    private final InMemoryPublisher publisher = new InMemoryPublisher();
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private HikariDataSource pool;

    @BeforeEach
    void begin() {
        DATABASE.empty();
        pool = DATABASE.pool(true);
    }

    @AfterEach
    void end() {
        pool.close();
    }

    @Test
    void gaugesAreThereWhileARelayRunsAndCountersForEver() {
        Relay relay = relay(publisher);
        assertThat(Scrape.of(registry).names())
                .doesNotContainAnyElementsOf(GAUGES)
                .contains("outbox_events_published_total");
        for (int round = 0; round < 2; round++) {
            relay.start();
            DATABASE.insertEvents(5, 5);
            awaitPending(DATABASE, 0);
            eventually(() -> value(registry, RUNNING) == 1);
            assertThat(Scrape.of(registry).names()).containsAll(GAUGES);
            relay.close();
            assertThat(Scrape.of(registry).names()).doesNotContainAnyElementsOf(GAUGES);
        }
        assertThat(value(registry, "outbox_events_published_total")).isEqualTo(10);
    }

    @Test
    void gaugesTellOfTheRelayThatWasStartedLast() {
        InMemoryPublisher gone = new InMemoryPublisher();
        gone.setAvailable(false);
        Relay first = relay(publisher);
        Relay second = relay(gone);
        try (first) {
            first.start();
            eventually(() -> value(registry, RUNNING) == 1);
            try (second) {
                second.start();
                eventually(() -> value(registry, WAITING_FOR_BROKER) == 1 && value(registry, RUNNING) == 0);
            }
            assertThat(value(registry, RUNNING)).isEqualTo(1);
            second.start();
            eventually(() -> value(registry, WAITING_FOR_BROKER) == 1);
            first.close();
            assertThat(value(registry, WAITING_FOR_BROKER)).isEqualTo(1);
        } finally {
            second.close();
        }
        assertThat(Scrape.of(registry).names()).doesNotContainAnyElementsOf(GAUGES);
    }

    @Test
    void relayThatIsStartedAgainIsTheLastOne() {
        InMemoryPublisher gone = new InMemoryPublisher();
        gone.setAvailable(false);
        try (Relay first = relay(publisher);
                Relay second = relay(gone)) {
            first.start();
            second.start();
            eventually(() -> value(registry, WAITING_FOR_BROKER) == 1);
            first.close();
            first.start();
            eventually(() -> value(registry, RUNNING) == 1);
        }
    }

    @Test
    void gaugesSurviveTheCollectionOfGarbage() throws Exception {
        try (Relay relay = relay(publisher)) {
            relay.start();
            WeakReference<Object> garbage = new WeakReference<>(new Object());
            eventually(() -> {
                System.gc();
                return garbage.get() == null;
            });
            assertThat(GAUGES.stream().filter(name -> !name.equals("outbox_relay_state")))
                    .allSatisfy(name -> assertThat(value(registry, name)).isNotNaN());
        }
    }

    @Test
    void gaugesOfOneScrapeShareOneReadingOfTheStatus() {
        AtomicInteger connections = new AtomicInteger();
        RelayConfigBuilder config = quick().observer(RelayMetrics.of(registry, counted(connections)));
        try (Relay relay = Relay.create(pool, publisher, config.build())) {
            relay.start();
            assertThat(connections).hasValue(0);
            Scrape.of(registry);
            Scrape.of(registry);
            assertThat(connections).hasValue(1);
        }
    }

    private Relay relay(EventPublisher to) {
        return Relay.create(
                pool, to, quick().observer(RelayMetrics.of(registry, pool)).build());
    }

    private DataSource counted(AtomicInteger connections) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, args) -> {
                    connections.incrementAndGet();
                    return method.invoke(pool, args);
                });
    }
}
