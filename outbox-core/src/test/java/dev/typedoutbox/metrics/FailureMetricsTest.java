package dev.typedoutbox.metrics;

import static dev.typedoutbox.metrics.Scrape.value;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfigBuilder;
import dev.typedoutbox.relay.RetryPolicy;
import dev.typedoutbox.servers.TcpProxy;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What goes wrong is seen in the gauges, and so is its end. */
@Timeout(120)
class FailureMetricsTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();
    private static final RetryPolicy ONCE = new RetryPolicy(1, Duration.ofMillis(1), Duration.ofMillis(1));

    private final InMemoryPublisher publisher = new InMemoryPublisher();
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final TcpProxy proxy = DATABASE.proxy();
    private HikariDataSource pool;

    @BeforeEach
    void begin() {
        DATABASE.empty();
        HikariConfig config = new HikariConfig();
        config.setDataSource(DATABASE.dataSourceThrough(proxy));
        config.setMaximumPoolSize(5);
        config.setConnectionTimeout(2_000);
        config.setValidationTimeout(1_000);
        pool = new HikariDataSource(config);
    }

    @AfterEach
    void end() {
        proxy.heal();
        pool.close();
        proxy.close();
    }

    @Test
    void databaseThatIsGoneMakesTheStatusUnknownUntilItIsBack() {
        DATABASE.insertEvents(3, 3);
        publisher.setAvailable(false);
        try (Relay relay = started(pool, config())) {
            soon(() -> value(registry, "outbox_events_pending") == 3);

            proxy.swallow(TcpProxy.Direction.TO_SERVER);
            proxy.swallow(TcpProxy.Direction.TO_CLIENT);
            soon(() -> Double.isNaN(value(registry, "outbox_events_pending")));
            long began = System.nanoTime();
            for (int i = 0; i < 10; i++) {
                assertThat(value(registry, "outbox_oldest_pending_age_seconds")).isNaN();
            }
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(6));

            publisher.setAvailable(true);
            soon(() -> value(registry, state("waiting_for_database")) == 1);
            soon(() -> value(registry, "outbox_batches_failed_total") > 0);
            proxy.heal();
            soon(() -> value(registry, state("running")) == 1);
            soon(() -> value(registry, "outbox_events_pending") == 0);
        }
    }

    @Test
    void brokerThatIsGoneIsSeenInTheStateAndInWhatWaits() {
        publisher.setAvailable(false);
        try (Relay relay = started(pool, config())) {
            DATABASE.insertEvents(7, 7);
            DATABASE.execute("update outbox_events set created_at = now() - interval '5 minutes' where seq = 4");
            soon(() -> value(registry, state("waiting_for_broker")) == 1);
            soon(() -> value(registry, "outbox_events_pending") == 7);
            assertThat(value(registry, "outbox_oldest_pending_age_seconds")).isBetween(300.0, 330.0);
            assertThat(value(registry, state("running"))).isZero();

            publisher.setAvailable(true);
            soon(() -> value(registry, "outbox_events_pending") == 0);
            assertThat(value(registry, "outbox_oldest_pending_age_seconds")).isZero();
            assertThat(value(registry, state("running"))).isEqualTo(1);
        }
    }

    @Test
    void brokerThatRefusesFillsTheDeadLetters() {
        publisher.answer(event -> PublishOutcome.refused("no such queue"));
        try (Relay relay = started(pool, config())) {
            DATABASE.insertEvents(4, 4);
            soon(() -> value(registry, "outbox_dead_letters") == 4);
            assertThat(value(registry, "outbox_events_pending")).isZero();
        }
    }

    @Test
    void brokerThatIsSlowIsSeenInTheSlotsThatAreHeld() {
        CountDownLatch slow = new CountDownLatch(1);
        publisher.answer(event -> {
            await().until(() -> slow.getCount() == 0);
            return PublishOutcome.confirmed();
        });
        try (Relay relay = started(pool, config())) {
            DATABASE.insertEvents(100, 100);
            soon(() -> value(registry, "outbox_slots_busy") >= 16);
            slow.countDown();
            soon(() -> value(registry, "outbox_slots_busy") == 0);
        } finally {
            slow.countDown();
        }
    }

    @Test
    void listenerThatIsCutOffIsSeen() {
        try (TcpProxy toListener = DATABASE.proxy();
                Relay relay = started(pool, config().listenOn(DATABASE.dataSourceThrough(toListener)))) {
            soon(() -> value(registry, "outbox_relay_listening") == 1);
            soon(() -> value(registry, "outbox_relays") == 1);

            toListener.close();

            soon(() -> value(registry, "outbox_relay_listening") == 0);
            soon(() -> value(registry, "outbox_relays") == 0);
            assertThat(value(registry, state("running"))).isEqualTo(1);
        }
    }

    /** As when a stranger holds the locks: the relay finds nothing to do, and nothing fails. */
    @Test
    void eventsThatNobodyTakesAreSeenByTheirAge() throws SQLException {
        try (Connection stranger = DATABASE.dataSource().getConnection();
                Statement statement = stranger.createStatement();
                Relay relay = started(pool, config())) {
            statement.execute("select pg_advisory_lock('outbox_events'::regclass::oid::int, slot)"
                    + " from generate_series(0, 63) slot");
            DATABASE.insertEvents(5, 5);
            DATABASE.execute("update outbox_events set created_at = now() - interval '61 seconds'");

            soon(() -> value(registry, "outbox_oldest_pending_age_seconds") > 60);
            assertThat(value(registry, "outbox_slots_busy")).isEqualTo(64);
            assertThat(value(registry, state("running"))).isEqualTo(1);
        }
    }

    @Test
    void queueOfNotificationsThatNobodyEmptiesIsSeen() throws SQLException {
        try (Relay relay = started(pool, config());
                Connection stranger = DATABASE.dataSource().getConnection();
                Statement statement = stranger.createStatement()) {
            statement.execute("listen strange");
            stranger.setAutoCommit(false);
            statement.execute("select 1");
            for (int i = 0; i < 50; i++) {
                DATABASE.execute("select pg_notify('strange', repeat('x', 7900) || " + i + ")");
            }
            soon(() -> value(registry, "outbox_notification_queue_usage_ratio") > 0);
        }
    }

    private RelayConfigBuilder config() {
        return quick().retryPolicy(ONCE)
                .statementTimeout(Duration.ofSeconds(2))
                .observer(RelayMetrics.of(registry, pool));
    }

    private Relay started(DataSource dataSource, RelayConfigBuilder config) {
        Relay relay = Relay.create(dataSource, publisher, config.build());
        relay.start();
        return relay;
    }

    private static String state(String state) {
        return "outbox_relay_state{state=\"" + state + "\"}";
    }

    /** The status is read every five seconds. */
    private static void soon(Callable<Boolean> condition) {
        await().atMost(Duration.ofSeconds(40))
                .pollInterval(Duration.ofMillis(50))
                .until(condition);
    }
}
