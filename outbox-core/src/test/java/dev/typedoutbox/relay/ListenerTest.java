package dev.typedoutbox.relay;

import static dev.typedoutbox.relay.RelayFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.deadletter.DeadLetters;
import dev.typedoutbox.servers.TcpProxy;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;

/** A relay that listens hears of new events, whatever happens to its connection; and writers notify only while it sleeps. */
@Timeout(120)
class ListenerTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();
    private static final Duration LONG = Duration.ofHours(1);

    private final InMemoryPublisher publisher = new InMemoryPublisher();
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
    void notificationWakesARelayThatWouldNotPollForLong() throws Exception {
        try (Relay relay = listening(DATABASE.dataSource())) {
            // Follow-up polls come 10, 30, 70 and so on, 2,550 and 5,110 ms after it fell asleep.
            awaitSleepOf(Duration.ofSeconds(3));

            UUID id = DATABASE.publish("1", "order.created");

            await().atMost(Duration.ofSeconds(1)).until(() -> isSent(id));
            assertThat(relay.isListening()).isTrue();
        }
    }

    @Test
    void writersNotifyWhileARelaySleepsAndAreSilentOtherwise() throws Exception {
        try (Connection foreign = DATABASE.dataSource().getConnection();
                Statement statement = foreign.createStatement()) {
            statement.execute("listen outbox_" + DATABASE.value("select 'outbox_events'::regclass::oid"));
            DATABASE.publish("1", "order.created");
            assertThat(notifications(foreign)).isZero();

            try (Relay relay = listening(DATABASE.dataSource())) {
                awaitSleepOf(Duration.ofMillis(100));
                notifications(foreign);
                DATABASE.publish("1", "order.paid");
                assertThat(notifications(foreign)).isEqualTo(1);
            }
            DATABASE.publish("1", "order.shipped");
            assertThat(notifications(foreign)).isZero();
        }
    }

    @Test
    void eventsLeaveAtOnceWheneverTheListeningSessionIsEnded() throws Exception {
        try (Relay relay = listening(DATABASE.dataSource())) {
            for (int i = 0; i < 20; i++) {
                eventually(relay::isListening);
                DATABASE.execute(endListeners());
                UUID id = DATABASE.publish("1", "order.changed");
                await().atMost(Duration.ofSeconds(2)).until(() -> isSent(id));
            }
            eventually(relay::isListening);
            assertThat(publisher.sent()).hasSize(20);
        }
    }

    @Test
    void connectionThatNoLongerAnswersIsReplacedAndPollingGoesOnMeanwhile() throws Exception {
        try (TcpProxy proxy = DATABASE.proxy();
                Relay relay = listening(DATABASE.dataSourceThrough(proxy))) {
            eventually(relay::isListening);
            proxy.swallow(TcpProxy.Direction.TO_SERVER);
            proxy.swallow(TcpProxy.Direction.TO_CLIENT);

            UUID id = DATABASE.publish("1", "order.created");
            eventually(() -> isSent(id));
            eventually(() -> !relay.isListening());

            proxy.heal();
            eventually(relay::isListening);
        }
    }

    @Test
    void relayWhoseNotificationsAreSwallowedPolls() throws Exception {
        try (SessionSwappingDataSource pooler = new SessionSwappingDataSource(DATABASE.dataSource());
                Relay relay = listening(pooler)) {
            eventually(pooler::hasServedStatements);
            for (int i = 0; i < 3; i++) {
                UUID id = DATABASE.publish("1", "order.changed");
                await().atMost(Duration.ofSeconds(2)).until(() -> isSent(id));
            }
            RelayFixture.always(() -> !relay.isListening() && gates() == 0);
        }
    }

    @Test
    void relayThatListensToTheOutboxOfAnotherDatabasePolls() throws Exception {
        try (Relay relay = listening(OutboxDatabase.create().dataSource())) {
            // Longer than it takes to find out whether notifications arrive.
            await().atMost(Duration.ofSeconds(20)).during(Duration.ofSeconds(3)).until(() -> !relay.isListening());
            UUID id = DATABASE.publish("1", "order.changed");
            eventually(() -> isSent(id));
        }
    }

    @Test
    void anotherRelayTakesOverTheGate() throws Exception {
        try (Relay second = listening(DATABASE.dataSource())) {
            try (Relay first = listening(DATABASE.dataSource())) {
                eventually(() -> first.isListening() && second.isListening());
                awaitSleepOf(Duration.ofMillis(100));
            }
            eventually(() -> gates() == 1);
            UUID id = DATABASE.publish("1", "order.created");
            await().atMost(Duration.ofSeconds(2)).until(() -> isSent(id));
        }
    }

    @Test
    void retriedDeadLettersLeaveAtOnce() throws Exception {
        publisher.answer(RelayFixture.refusing("1"));
        RelayConfigBuilder oneAttempt =
                quiet().retryPolicy(new RetryPolicy(1, Duration.ofMillis(1), Duration.ofMillis(2)));
        try (Relay relay = started(oneAttempt.listenOn(DATABASE.dataSource()))) {
            DATABASE.publish("1", "order.created");
            DATABASE.insertEvents(100, 100);
            eventually(() -> DATABASE.count("dead_at is not null") == 2);
            RelayFixture.awaitPending(DATABASE, 0);
            awaitSleepOf(Duration.ofSeconds(3));
            publisher.answer(event -> PublishOutcome.confirmed());

            DeadLetters.of(DATABASE.dataSource()).retryAll();

            await().atMost(Duration.ofSeconds(2)).until(() -> DATABASE.count("processed_at is null") == 0);
        }
    }

    @Test
    void dueRetriesAreNotSleptOver() throws Exception {
        publisher.answer(event -> PublishOutcome.refused("no such queue"));
        RelayConfigBuilder config = quiet().pollInterval(LONG)
                .retryPolicy(new RetryPolicy(5, Duration.ofMillis(300), Duration.ofMillis(301)));
        try (Relay relay = started(config.listenOn(DATABASE.dataSource()))) {
            DATABASE.publish("1", "order.created");
            await().atMost(Duration.ofSeconds(10)).until(() -> DATABASE.count("dead_at is not null") == 1);
        }
        assertThat(publisher.sent()).hasSize(5);
    }

    @Test
    void closingEndsTheListenerAndFreesTheGate() throws Exception {
        Relay relay = listening(DATABASE.dataSource());
        awaitSleepOf(Duration.ofMillis(100));

        long began = System.nanoTime();
        relay.close();

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(2));
        assertThat(relay.isListening()).isFalse();
        eventually(() -> gates() == 0);
    }

    @Test
    void roleThatEndsIdleSessionsDoesNotEndTheListener() {
        DataSource impatient = DATABASE.asRoleWith("idle_session_timeout", "300ms");
        try (Relay relay = listening(impatient)) {
            eventually(relay::isListening);
            RelayFixture.always(relay::isListening);
        }
    }

    private Relay listening(DataSource dataSource) {
        return started(quiet().listenOn(dataSource));
    }

    private Relay started(RelayConfigBuilder config) {
        Relay relay = Relay.create(pool, publisher, config.build());
        relay.start();
        return relay;
    }

    /** Polls by itself so seldom that the tests would not see it, except while it does not listen. */
    private static RelayConfigBuilder quiet() {
        return RelayConfig.builder().fallbackPollInterval(LONG);
    }

    private boolean isSent(UUID id) {
        return publisher.sent().stream().map(OutboxEvent::id).anyMatch(id::equals);
    }

    private static void awaitSleepOf(Duration time) {
        await().atMost(Duration.ofSeconds(20)).during(time).until(() -> gates() == 1);
    }

    private static int gates() {
        return Integer.parseInt(
                DATABASE.value("select count(*) from pg_locks where locktype = 'advisory' and objid = 64"
                        + " and mode = 'ExclusiveLock' and classid = 'outbox_events'::regclass"
                        + " and database = (select oid from pg_database where datname = current_database())"));
    }

    private static String endListeners() {
        return "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()"
                + " and pid in (select pid from pg_locks where locktype = 'advisory' and objid = 64)";
    }

    private static int notifications(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("select 1");
        }
        return connection.unwrap(PGConnection.class).getNotifications().length;
    }
}
