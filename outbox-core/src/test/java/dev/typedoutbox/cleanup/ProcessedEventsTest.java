package dev.typedoutbox.cleanup;

import static dev.typedoutbox.relay.RelayFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.Applied;
import dev.typedoutbox.consumer.EventHandler;
import dev.typedoutbox.consumer.IdempotentConsumer;
import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.support.OutboxDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

@Timeout(60)
class ProcessedEventsTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();
    private static final Executor THREADS = task -> new Thread(task).start();
    private static final Duration DAY = Duration.ofDays(1);

    /** With a bound, so that a purge which waits for somebody fails. */
    private static final ProcessedEvents EVENTS = ProcessedEvents.create(DATABASE.asRoleWith("lock_timeout", "10s"));

    /** Of a role whose batches are not committed before the lock that {@link #hold} takes is free. */
    private static final DataSource HELD = DATABASE.asRoleWith("test.held", "on");

    @BeforeAll
    static void watchTheBatches() {
        DATABASE.execute("create table batches (tx bigint, records int, oldest timestamptz, newest timestamptz)");
        DATABASE.execute("""
                create function watch_batch() returns trigger language plpgsql security definer as
                $$
                begin
                  insert into public.batches
                    select txid_current(), count(*), min(processed_at), max(processed_at) from gone;
                  if current_setting('test.held', true) = 'on' then
                    perform pg_advisory_xact_lock_shared(1);
                  end if;
                  return null;
                end
                $$""");
        DATABASE.execute("create trigger watch_batch after delete on processed_events"
                + " referencing old table as gone for each statement execute function watch_batch()");
    }

    @BeforeEach
    void empty() {
        DATABASE.empty();
        DATABASE.execute("truncate batches");
    }

    @Test
    void oldRecordsOfAllConsumersGoAndYoungOnesStay() {
        insert("shipping", 3, "14 days 1 hour");
        insert("billing", 4, "400 days");
        insert("young", 5, "13 days 23 hours");

        assertThat(EVENTS.purge()).isEqualTo(7);

        assertThat(DATABASE.column("select consumer from processed_events"))
                .hasSize(5)
                .containsOnly("young");
        assertThat(EVENTS.purge()).isZero();
    }

    @Test
    void retentionIsTheCallersToChoose() {
        insert("old", 3, "70 seconds");
        insert("young", 5, "30 seconds");

        assertThat(EVENTS.purge(Duration.ofDays(36_500))).isZero();
        assertThat(EVENTS.purge(Duration.ofMinutes(1))).isEqualTo(3);
        assertThat(records()).isEqualTo(5);
    }

    @Test
    void manyRecordsGoInBatchesOfTheirOwnTheOldestFirst() {
        insert("old", 12_000, "2 days");

        assertThat(EVENTS.purge(DAY)).isEqualTo(12_000);

        assertThat(DATABASE.column("select records from batches order by newest"))
                .containsExactly("5000", "5000", "2000");
        assertThat(DATABASE.value("select count(distinct tx) from batches")).isEqualTo("3");
        assertThat(DATABASE.value("select count(*) from batches older join batches younger"
                        + " on older.tx < younger.tx and older.newest >= younger.oldest"))
                .isEqualTo("0");
    }

    @Test
    void manyRecordsOfOneTimeGo() {
        insert("old", 12_000, "2 days");
        DATABASE.execute("update processed_events set processed_at = now() - interval '2 days'");

        assertThat(EVENTS.purge(DAY)).isEqualTo(12_000);
    }

    @Test
    void purgesAtOnceShareTheWorkAndDoNotWaitForEachOther() throws SQLException {
        insert("old", 12_000, "2 days");
        CompletableFuture<Long> held;
        try (Connection hold = hold()) {
            held = purgeInBackground(HELD);
            eventually(ProcessedEventsTest::aBatchIsHeld);

            assertThat(EVENTS.purge(DAY)).isEqualTo(7_000);
            assertThat(held).isNotDone();
        }
        assertThat(held.join()).isEqualTo(5_000);
        assertThat(records()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
    void purgesAtOnceDeleteEachRecordOnce(String isolation) {
        DataSource dataSource = DATABASE.asRoleWith("default_transaction_isolation", isolation);
        for (int round = 0; round < 5; round++) {
            insert("old", 20_000, "2 days");

            CompletableFuture<Long> one = purgeInBackground(dataSource);
            CompletableFuture<Long> two = purgeInBackground(dataSource);

            assertThat(one.join() + two.join()).isEqualTo(20_000);
            assertThat(records()).isZero();
        }
    }

    @Test
    void recordsThatSomebodyHasLockedAreLeftToTheNextPurge() throws SQLException {
        insert("old", 10, "2 days");
        insert("locked", 3, "3 days");
        try (Connection other = DATABASE.dataSource().getConnection()) {
            other.setAutoCommit(false);
            other.createStatement().execute("select from processed_events where consumer = 'locked' for key share");

            assertThat(EVENTS.purge(DAY)).isEqualTo(10);
            other.commit();
        }
        assertThat(DATABASE.column("select consumer from processed_events"))
                .containsExactly("locked", "locked", "locked");
        assertThat(EVENTS.purge(DAY)).isEqualTo(3);
    }

    @Test
    void purgeDoesNotWaitForAConsumerThatIsApplyingAnEvent() {
        insert("old", 10, "2 days");
        AtomicReference<Long> purged = new AtomicReference<>();
        IdempotentConsumer consumer = consumer((tx, event) -> purged.set(EVENTS.purge(DAY)));

        assertThat(consumer.apply(event())).isEqualTo(Applied.APPLIED);

        assertThat(purged).hasValue(10L);
        assertThat(records()).isEqualTo(1);
    }

    @Test
    void consumerDoesNotWaitForAPurge() throws SQLException {
        insert("old", 10, "2 days");
        CompletableFuture<Long> held;
        try (Connection hold = hold()) {
            held = purgeInBackground(HELD);
            eventually(ProcessedEventsTest::aBatchIsHeld);

            assertThat(consumer((tx, event) -> {}).apply(event())).isEqualTo(Applied.APPLIED);
            assertThat(held).isNotDone();
        }
        assertThat(held.join()).isEqualTo(10);
    }

    @Test
    void eventIsAppliedAgainAfterItsRecordWasPurged() {
        OutboxEvent event = event();
        IdempotentConsumer consumer = consumer((tx, received) -> {});
        consumer.apply(event);
        DATABASE.execute("update processed_events set processed_at = processed_at - interval '2 days'");
        assertThat(consumer.apply(event)).isEqualTo(Applied.DUPLICATE);

        EVENTS.purge(DAY);

        assertThat(consumer.apply(event)).isEqualTo(Applied.APPLIED);
    }

    @Test
    void interruptedPurgeCompletesTheBatchUnderWay() throws Exception {
        insert("old", 12_000, "2 days");
        AtomicReference<Long> purged = new AtomicReference<>();
        AtomicBoolean leftInterrupted = new AtomicBoolean();
        Thread thread = new Thread(() -> {
            purged.set(ProcessedEvents.create(HELD).purge(DAY));
            leftInterrupted.set(Thread.currentThread().isInterrupted());
        });
        try (Connection hold = hold()) {
            thread.start();
            eventually(ProcessedEventsTest::aBatchIsHeld);
            thread.interrupt();
        }
        thread.join();

        assertThat(purged).hasValue(5_000L);
        assertThat(leftInterrupted).isTrue();
        assertThat(records()).isEqualTo(7_000);
    }

    @Test
    void recordsMayLieInAnotherSchema() {
        OutboxSchema.migrate(DATABASE.dataSource(), "Order Outbox");
        insert("here", 3, "20 days");
        DATABASE.execute("insert into \"Order Outbox\".processed_events select * from public.processed_events limit 2");

        assertThat(ProcessedEvents.create(DATABASE.dataSource(), "Order Outbox").purge())
                .isEqualTo(2);
        assertThat(records()).isEqualTo(3);
    }

    @Test
    void roleNeedsTheRightsThatAreToldAndNoOthers() {
        insert("old", 3, "20 days");

        assertThat(ProcessedEvents.create(DATABASE.asRoleThatMay("select, update, delete on processed_events"))
                        .purge())
                .isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"PT59.999S", "PT0S", "PT-24H", "PT876000H0.001S"})
    void retentionOutOfBoundsIsRefused(Duration retention) {
        insert("old", 3, "20 days");

        assertThatThrownBy(() -> EVENTS.purge(retention))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("retention must be between PT1M and PT876000H (was " + retention + ")");
        assertThat(records()).isEqualTo(3);
    }

    @Test
    void databaseThatIsAwayIsADataAccessException() {
        PGSimpleDataSource nobody = new PGSimpleDataSource();
        nobody.setPortNumbers(new int[] {1});

        assertThatThrownBy(() -> ProcessedEvents.create(nobody).purge())
                .isInstanceOf(DataAccessException.class)
                .hasMessageStartingWith("processed events could not be purged: ");
    }

    /** The given age is that of the youngest. */
    private static void insert(String consumer, int events, String age) {
        DATABASE.execute("insert into processed_events select '" + consumer + "', gen_random_uuid(),"
                + " now() - interval '" + age + "' - n * interval '1 ms' from generate_series(0, " + (events - 1)
                + ") n order by random()");
    }

    private static int records() {
        return Integer.parseInt(DATABASE.value("select count(*) from processed_events"));
    }

    private static Connection hold() throws SQLException {
        Connection connection = DATABASE.dataSource().getConnection();
        connection.createStatement().execute("select pg_advisory_lock(1)");
        return connection;
    }

    private static boolean aBatchIsHeld() {
        return DATABASE.value("select count(*) from pg_stat_activity where wait_event = 'advisory'"
                        + " and datname = current_database()")
                .equals("1");
    }

    private static CompletableFuture<Long> purgeInBackground(DataSource dataSource) {
        return CompletableFuture.supplyAsync(
                () -> ProcessedEvents.create(dataSource).purge(DAY), THREADS);
    }

    private static IdempotentConsumer consumer(EventHandler handler) {
        return IdempotentConsumer.create(DATABASE.dataSource(), "shipping", handler);
    }

    private static OutboxEvent event() {
        return OutboxEvent.builder(UUID.randomUUID()).build();
    }
}
