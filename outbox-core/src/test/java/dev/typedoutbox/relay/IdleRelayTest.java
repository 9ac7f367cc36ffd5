package dev.typedoutbox.relay;

import static dev.typedoutbox.relay.RelayFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** What a relay asks of the database while there is nothing to do. */
class IdleRelayTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();
    private static final Duration FALLBACK = Duration.ofSeconds(1);

    private final InMemoryPublisher publisher = new InMemoryPublisher();
    private final AtomicInteger polls = new AtomicInteger();

    @BeforeEach
    void empty() {
        DATABASE.empty();
    }

    @Test
    void pollsOnceInTheFallbackIntervalWithAnyNumberOfWorkers() {
        RelayConfig config = RelayConfig.builder()
                .workers(8)
                .fallbackPollInterval(FALLBACK)
                .listenOn(DATABASE.dataSource())
                .build();
        try (Relay relay = Relay.create(counting(DATABASE.dataSource()), publisher, config)) {
            relay.start();
            eventually(relay::isListening);
            awaitPollsThatAreFarBetween();
            int before = polls.get();

            await().atMost(Duration.ofSeconds(20))
                    .during(FALLBACK.multipliedBy(5))
                    .until(() -> polls.get() - before <= 7);

            assertThat(polls.get() - before).isGreaterThanOrEqualTo(3);
        }
    }

    /** So that it asks no more often than the one that has the gate. */
    @Test
    void relayWithoutTheGateTriesForItInsteadOfProbingItsConnection() throws SQLException {
        List<String> asked = new CopyOnWriteArrayList<>();
        RelayConfig config = RelayConfig.builder()
                .fallbackPollInterval(Duration.ofHours(1))
                .listenOn(recording(DATABASE.dataSource(), asked))
                .build();
        try (Connection other = DATABASE.dataSource().getConnection()) {
            other.createStatement().execute("select pg_advisory_lock('outbox_events'::regclass::oid::int, 64)");
            try (Relay relay = Relay.create(DATABASE.dataSource(), publisher, config)) {
                relay.start();
                // Nine with the follow-up polls of the first five seconds, and then one each five seconds.
                await().atMost(Duration.ofSeconds(30)).until(() -> countOf(asked, "pg_try_advisory_lock(") >= 10);
                assertThat(countOf(asked, "pg_notification_queue_usage")).isZero();
            }
        }
    }

    private static long countOf(List<String> asked, String part) {
        return asked.stream().filter(sql -> sql.contains(part)).count();
    }

    /** The follow-up polls come ever more seldom. */
    private void awaitPollsThatAreFarBetween() {
        AtomicInteger last = new AtomicInteger();
        await().atMost(Duration.ofSeconds(20)).during(FALLBACK.dividedBy(2)).until(() -> {
            int now = polls.get();
            return last.getAndSet(now) == now;
        });
    }

    private DataSource counting(DataSource server) {
        return new DelegatingDataSource(server) {
            @Override
            public Connection getConnection() throws SQLException {
                polls.incrementAndGet();
                return super.getConnection();
            }
        };
    }

    private static DataSource recording(DataSource server, List<String> asked) {
        return new DelegatingDataSource(server) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = super.getConnection();
                return (Connection) Proxy.newProxyInstance(
                        Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, args) -> {
                            if (method.getName().equals("prepareStatement")) {
                                asked.add((String) args[0]);
                            }
                            return method.invoke(connection, args);
                        });
            }
        };
    }
}
