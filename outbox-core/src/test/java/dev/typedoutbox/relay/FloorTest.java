package dev.typedoutbox.relay;

import static dev.typedoutbox.relay.RelayFixture.always;
import static dev.typedoutbox.relay.RelayFixture.eventually;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.deadletter.DeadLetters;
import dev.typedoutbox.store.DatabaseSession;
import dev.typedoutbox.store.LowestFloor;
import dev.typedoutbox.store.OutboxStore;
import dev.typedoutbox.store.Slots;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The floor passes what is settled, and nothing else, whoever is in a transaction meanwhile. */
class FloorTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();

    private final InMemoryPublisher publisher = new InMemoryPublisher();
    private HikariDataSource pool;

    @BeforeEach
    void begin() {
        DATABASE.empty();
        pool = DATABASE.pool(true);
        // One that publishes, one that looks; more would be strangers to the floor for a while.
        pool.setMaximumPoolSize(2);
    }

    @AfterEach
    void end() {
        pool.close();
    }

    @Test
    void passesAllThatIsSettled() {
        RelayConfig config = quick().batchSize(7).build();
        Floor floor = new Floor(config);
        DATABASE.insertEvents(100, 30);
        publishAll(floor, config);

        eventually(() -> batch(floor, config) == 101);
    }

    @Test
    void stopsBelowWhatWaitsForItsRetryInThatSlotAlone() {
        RelayConfig config = quick().build();
        Floor floor = new Floor(config);
        publisher.answer(RelayFixture.refusing("0"));
        DATABASE.insertEvents(100, 100);
        publishAll(floor, config);

        eventually(() -> {
            batch(floor, config);
            return batch(floor, config) == 100;
        });
        assertThat(DATABASE.value("select seq from outbox_events where processed_at is null"))
                .isEqualTo("100");
    }

    @Test
    void transactionThatCommitsLateIsNotPassedAndItsEventsLeaveInOrder() throws Exception {
        RelayConfig config = quick().build();
        Floor floor = new Floor(config);
        try (Connection late = DATABASE.dataSource().getConnection();
                Statement statement = late.createStatement()) {
            late.setAutoCommit(false);
            insert(statement, "late", "first");
            UUID early = DATABASE.publish("early", "order.created");
            publishAll(floor, config);
            assertThat(publisher.sent()).extracting(OutboxEvent::id).containsExactly(early);
            always(() -> {
                DATABASE.publish("early", "order.changed");
                return batch(floor, config) <= 1;
            });
            insert(statement, "late", "second");
            late.commit();
        }
        publishAll(floor, config);

        assertThat(publisher.sent())
                .filteredOn(event -> event.aggregateId().equals("late"))
                .extracting(OutboxEvent::eventType)
                .containsExactly("first", "second");
        eventually(() -> batch(floor, config) > 4);
    }

    @Test
    void readersAreNotWaitedFor() throws Exception {
        RelayConfig config = quick().build();
        Floor floor = new Floor(config);
        DATABASE.insertEvents(50, 10);
        try (Connection reader = DATABASE.dataSource().getConnection();
                Statement statement = reader.createStatement()) {
            reader.setAutoCommit(false);
            reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            statement.executeQuery("select count(*) from outbox_events").close();
            publishAll(floor, config);

            eventually(() -> batch(floor, config) == 51);
        }
    }

    @Test
    void fetchDoesNotWalkOverWhatIsSettledWhileASnapshotIsOpen() throws Exception {
        RelayConfig config = quick().build();
        Floor floor = new Floor(config);
        DATABASE.insertEvents(5_000, 500);
        try (Connection reader = DATABASE.dataSource().getConnection();
                Statement statement = reader.createStatement()) {
            reader.setAutoCommit(false);
            reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            statement.executeQuery("select count(*) from outbox_events").close();
            publishAll(floor, config);
            eventually(() -> batch(floor, config) == 5_001);

            assertThat(entriesReadBy(floor, config)).isLessThan(100);
            assertThat(entriesReadBy(new Floor(config), config)).isGreaterThanOrEqualTo(5_000);
        }
    }

    private long entriesReadBy(Floor floor, RelayConfig config) throws SQLException {
        OutboxStore store = Queries.of(config).store();
        try (Connection connection = pool.getConnection()) {
            return new RelayTransaction(Queries.of(config)).run(connection, (tx, session) -> {
                long before = entriesRead(tx);
                assertThat(store.lockSlots(tx, floor.in(session), Slots.COUNT)).isEmpty();
                return entriesRead(tx) - before;
            });
        }
    }

    private static long entriesRead(DSLContext tx) {
        return tx.fetchSingle("select pg_stat_get_xact_tuples_returned('idx_outbox_unprocessed'::regclass)")
                .get(0, Long.class);
    }

    @Test
    void sessionThatIsYoungerThanTheFloorDoesNotUseIt() throws Exception {
        RelayConfig config = quick().build();
        Floor floor = new Floor(config);
        DATABASE.insertEvents(10, 10);
        publishAll(floor, config);
        eventually(() -> batch(floor, config) == 11);

        try (HikariDataSource others = DATABASE.pool(true);
                Connection young = others.getConnection()) {
            assertThat(batch(young, floor, config)).isZero();
        }
    }

    @Test
    void sessionOfAnotherServerDoesNotUseIt() {
        RelayConfig config = quick().build();
        Floor floor = new Floor(config);
        DATABASE.insertEvents(10, 10);
        publishAll(floor, config);
        eventually(() -> batch(floor, config) == 11);

        DatabaseSession promoted = new DatabaseSession("another", true, System.nanoTime() - 3_600_000_000_000L);
        assertThat(LowestFloor.of(DATABASE.dsl(), floor.in(promoted))).isZero();
    }

    @Test
    void retriedDeadLettersBelowTheFloorLeaveInOrder() throws Exception {
        RelayConfig config = quick().retryPolicy(new RetryPolicy(1, Duration.ofMillis(1), Duration.ofMillis(2)))
                .build();
        Floor floor = new Floor(config);
        publisher.answer(RelayFixture.refusing("4"));
        DATABASE.insertEvents(20, 10);
        publishAll(floor, config);
        eventually(() -> batch(floor, config) == 21);
        publisher.answer(event -> PublishOutcome.confirmed());
        int sentBefore = publisher.sent().size();

        DeadLetters.of(pool).retryAll();

        assertThat(publish(floor, config).published()).isEqualTo(2);
        assertThat(publisher.sent().subList(sentBefore, sentBefore + 2))
                .extracting(OutboxEvent::seq)
                .containsExactly(4L, 14L);
    }

    @Test
    void deadLetterThatWasMarkedByHandIsFoundAgainToo() throws Exception {
        RelayConfig config = quick().build();
        Floor floor = new Floor(config);
        publisher.answer(RelayFixture.refusing("4"));
        DATABASE.insertEvents(10, 10);
        publishAll(floor, config);
        DATABASE.execute(
                "update outbox_events set dead_at = now(), retry_after = null, last_error = null where seq = 4");
        eventually(() -> batch(floor, config) == 11);
        publisher.answer(event -> PublishOutcome.confirmed());

        DeadLetters.of(pool).retryAll();

        assertThat(publish(floor, config).published()).isEqualTo(1);
    }

    @Test
    void numbersThatWereSetBackAreNotPassed() throws Exception {
        RelayConfig config = quick().build();
        Floor floor = new Floor(config);
        DATABASE.insertEvents(200, 200);
        publishAll(floor, config);
        eventually(() -> batch(floor, config) == 201);
        DATABASE.empty();
        DATABASE.insertEvents(100, 100);

        // As the sweep of one slot does, or a retry.
        DATABASE.execute("update outbox_events set last_error = 'tried before' where seq = 50");
        eventually(() -> {
            publish(floor, config);
            return batch(floor, config) == 101;
        });
        assertThat(DATABASE.count("processed_at is null")).isZero();
    }

    @Test
    void deadLetterIsNotPassedWhereItHoldsItsAggregate() {
        RelayConfig config = quick().retryPolicy(new RetryPolicy(1, Duration.ofMillis(1), Duration.ofMillis(2)))
                .deadLetterPolicy(DeadLetterPolicy.HOLD_AGGREGATE)
                .build();
        Floor floor = new Floor(config);
        publisher.answer(RelayFixture.refusing("4"));
        DATABASE.insertEvents(10, 10);
        publishAll(floor, config);
        eventually(() -> batch(floor, config) == 4);
        DATABASE.insertEvents(10, 10);
        publishAll(floor, config);
        always(() -> batch(floor, config) == 4);

        publisher.answer(event -> PublishOutcome.confirmed());
        DeadLetters.of(pool).retryAll();
        publishAll(floor, config);

        assertThat(RelayFixture.placesByAggregate(publisher.sent()).get("4")).endsWith(4L, 14L);
    }

    @Test
    void sequenceThatDoesNotCountOneByOneGivesNoFloor() {
        DATABASE.execute("alter sequence outbox_events_seq_seq cache 10");
        try {
            assertThatAllIsSentWithoutAFloor();
        } finally {
            DATABASE.execute("alter sequence outbox_events_seq_seq cache 1");
        }
    }

    @Test
    void roleThatMayNotReadTheSequencePublishesWithoutAFloor() {
        pool.close();
        pool = new HikariDataSource();
        pool.setDataSource(
                DATABASE.asRoleThatMay("usage on schema public", "select, insert, update, delete on outbox_events"));
        pool.setMaximumPoolSize(2);
        assertThatAllIsSentWithoutAFloor();
    }

    private void assertThatAllIsSentWithoutAFloor() {
        RelayConfig config = quick().build();
        Floor floor = new Floor(config);
        DATABASE.insertEvents(100, 10);
        publishAll(floor, config);
        assertThat(publisher.sent()).hasSize(100);
        always(() -> batch(floor, config) == 0);
    }

    private static void insert(Statement statement, String orderId, String eventType) throws SQLException {
        statement.execute(
                "insert into outbox_events (aggregate_type, aggregate_id, event_type, payload) values ('order', '"
                        + orderId + "', '" + eventType + "', '1')");
    }

    private void publishAll(Floor floor, RelayConfig config) {
        eventually(() -> publish(floor, config).fetched() == 0);
    }

    private BatchResult publish(Floor floor, RelayConfig config) throws SQLException {
        return new BatchRunner(pool, config, Queries.of(config), floor, new Observers(List.of()))
                .run(publisher.open())
                .result();
    }

    /** Publishes a batch if there is one, and tells the lowest number that the next would look at. */
    private long batch(Floor floor, RelayConfig config) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return batch(connection, floor, config);
        }
    }

    private long batch(Connection connection, Floor floor, RelayConfig config) throws SQLException {
        publish(floor, config);
        return new RelayTransaction(Queries.of(config))
                .run(connection, (tx, session) -> LowestFloor.of(tx, floor.in(session)));
    }
}
