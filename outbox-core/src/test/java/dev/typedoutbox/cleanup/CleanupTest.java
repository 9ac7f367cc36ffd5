package dev.typedoutbox.cleanup;

import static dev.typedoutbox.relay.RelayFixture.always;
import static dev.typedoutbox.relay.RelayFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import ch.qos.logback.classic.Level;
import dev.typedoutbox.servers.TcpProxy;
import dev.typedoutbox.support.LogRecorder;
import dev.typedoutbox.support.OutboxDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What a cleanup does by itself, alone and beside others. */
@Timeout(120)
class CleanupTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();
    private static final Executor THREADS = task -> new Thread(task).start();
    private static final Duration LONG = Duration.ofDays(7);
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Of a role whose batches are not committed before the lock that {@link #hold} takes is free. */
    private static final DataSource HELD = held();

    private static DataSource held() {
        DATABASE.execute("create function hold_batch() returns trigger language plpgsql as $$ begin"
                + " if current_setting('test.held', true) = 'on' then perform pg_advisory_xact_lock_shared(1); end if;"
                + " return null; end $$");
        DATABASE.execute("create trigger hold_batch after delete on outbox_events"
                + " for each statement execute function hold_batch()");
        return DATABASE.asRoleWith("test.held", "on");
    }

    @BeforeEach
    void empty() {
        DATABASE.empty();
    }

    @Test
    void oldRowsOfBothTablesGoAndDeadLettersAreNeverAmongThem() {
        published(3, "7 days 1 hour");
        published(2, "6 days 23 hours");
        applied(4, "14 days 1 hour");
        applied(1, "13 days 23 hours");
        DATABASE.insertEvents(10, 10);
        DATABASE.execute("update outbox_events set created_at = now() - interval '1 year',"
                + " dead_at = now() - interval '1 year' where processed_at is null and seq % 2 = 0");

        try (Cleanup cleanup = Cleanup.builder(DATABASE.dataSource()).build()) {
            assertThat(cleanup.runOnce()).isEqualTo(new CleanupResult(3, 4));
            assertThat(cleanup.runOnce()).isEqualTo(new CleanupResult(0, 0));
        }
        assertThat(rows()).isEqualTo("12 5 1");
    }

    @Test
    void eitherTableCanBeLeftAlone() {
        published(3, "2 days");
        applied(4, "2 days");
        Duration day = Duration.ofDays(1);

        assertThat(Cleanup.builder(DATABASE.dataSource())
                        .publishedEvents(day)
                        .withoutProcessedEvents()
                        .build()
                        .runOnce())
                .isEqualTo(new CleanupResult(3, 0));
        assertThat(Cleanup.builder(DATABASE.asRoleThatMay("select, update, delete on processed_events"))
                        .processedEvents(day)
                        .withoutPublishedEvents()
                        .build()
                        .runOnce())
                .isEqualTo(new CleanupResult(0, 4));
    }

    @Test
    void startedOneRunsAtOnceAndThenAgain() {
        published(3, "8 days");
        try (Cleanup cleanup =
                Cleanup.builder(DATABASE.dataSource()).every(SECOND).build()) {
            cleanup.start();
            eventually(() -> DATABASE.count("true") == 0);
            published(3, "8 days");
            eventually(() -> DATABASE.count("true") == 0);

            assertThatThrownBy(cleanup::start)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("cleanup must be closed to be started (was running)");
            cleanup.close();
            published(3, "8 days");
            always(() -> DATABASE.count("true") == 3);
            cleanup.start();
            eventually(() -> DATABASE.count("true") == 0);
        }
    }

    @Test
    void instancesThatAreRestartedMoreOftenThanARunIsDueCleanUpAllTheSame() {
        for (int restart = 0; restart < 3; restart++) {
            published(2, "8 days");
            try (Cleanup cleanup =
                    Cleanup.builder(DATABASE.dataSource()).every(LONG).build()) {
                cleanup.start();
                eventually(() -> DATABASE.count("true") == 0);
            }
        }
    }

    @Test
    void oneInstanceWorksAndTheOthersDoNotWaitForIt() throws SQLException {
        published(12_000, "8 days");
        Cleanup other = Cleanup.builder(DATABASE.dataSource()).build();
        CompletableFuture<CleanupResult> held;
        try (Connection hold = hold()) {
            held = CompletableFuture.supplyAsync(
                    () -> Cleanup.builder(HELD).build().runOnce(), THREADS);
            eventually(CleanupTest::aBatchIsHeld);
            applied(4, "20 days");

            assertThat(other.runOnce()).isEqualTo(new CleanupResult(0, 4));
            assertThat(held).isNotDone();
        }
        assertThat(held.join()).isEqualTo(new CleanupResult(12_000, 0));
    }

    @Test
    void manyInstancesDeleteEachRowOnce() {
        published(20_000, "8 days");
        applied(20_000, "20 days");

        List<CompletableFuture<CleanupResult>> instances = IntStream.range(0, 4)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> Cleanup.builder(DATABASE.dataSource()).build().runOnce(), THREADS))
                .toList();
        List<CleanupResult> results =
                instances.stream().map(CompletableFuture::join).toList();

        assertThat(results.stream().mapToLong(CleanupResult::publishedEvents).sum())
                .isEqualTo(20_000L - DATABASE.count("true"));
        Cleanup.builder(DATABASE.dataSource()).build().runOnce();
        assertThat(rows()).isEqualTo("0 0 0");
    }

    @Test
    void outageIsToldOnceAndWaitedOut() {
        try (TcpProxy proxy = DATABASE.proxy();
                LogRecorder log = new LogRecorder(Level.DEBUG)) {
            PGSimpleDataSource database = (PGSimpleDataSource) DATABASE.dataSourceThrough(proxy);
            try (Cleanup cleanup = Cleanup.builder(database).every(SECOND).build()) {
                cleanup.start();
                database.setPortNumbers(new int[] {1});
                eventually(() -> lines(log, "cleanup failed again") > 1);
                published(1, "8 days");
                assertThat(lines(log, "cleanup fails and will be tried again")).isEqualTo(1);
                assertThat(lines(log, "cleanup works again")).isZero();

                database.setPortNumbers(new int[] {proxy.port()});
                eventually(() -> DATABASE.count("true") == 0);
                eventually(() -> lines(log, "cleanup works again") == 1);
            }
        }
    }

    private static long lines(LogRecorder log, String start) {
        return log.lines().stream().filter(line -> line.startsWith(start)).count();
    }

    @Test
    void roleThatMayNotDeleteIsAnErrorThatIsToldOnce() {
        published(1, "8 days");
        DataSource reader = DATABASE.asRoleThatMay("select on outbox_events", "select on processed_events");
        assertThatThrownBy(() -> Cleanup.builder(reader).build().runOnce())
                .isInstanceOf(DataAccessException.class)
                .hasMessageContaining("permission denied");
        try (LogRecorder log = new LogRecorder();
                Cleanup cleanup = Cleanup.builder(reader).every(SECOND).build()) {
            cleanup.start();
            eventually(() -> !log.lines().isEmpty());
            always(() -> log.lines().size() == 1);
        }
    }

    @Test
    void failureAtOneTableDoesNotKeepTheOtherFromBeingCleanedUp() {
        published(3, "8 days");
        applied(4, "20 days");
        DataSource ofConsumer = DATABASE.asRoleThatMay("select, update, delete on processed_events");

        assertThatThrownBy(() -> Cleanup.builder(ofConsumer).build().runOnce())
                .isInstanceOf(DataAccessException.class)
                .hasMessageContaining("permission denied");

        assertThat(rows()).isEqualTo("3 0 0");
    }

    @Test
    void closingInTheMidstOfABatchThatDoesNotEndIsQuickAndLeavesItsRows() throws SQLException {
        published(100, "8 days");
        Cleanup cleanup = Cleanup.builder(HELD).build();
        try (Connection hold = hold();
                LogRecorder log = new LogRecorder()) {
            cleanup.start();
            eventually(CleanupTest::aBatchIsHeld);
            long began = System.nanoTime();

            cleanup.close();

            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(8));
            assertThat(threads()).isZero();
            assertThat(log.lines()).isEmpty();
        }
        assertThat(DATABASE.count("true")).isEqualTo(100);
    }

    @Test
    void closingBetweenTwoRunsIsQuick() {
        Cleanup cleanup = Cleanup.builder(DATABASE.dataSource()).build();
        cleanup.start();
        published(1, "8 days");
        eventually(() -> threads() == 1);
        long began = System.nanoTime();

        cleanup.close();
        cleanup.close();

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(2));
        assertThat(threads()).isZero();
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource
    void settingOutOfBoundsIsRefused(UnaryOperator<Cleanup.Builder> setting, String message) {
        assertThatThrownBy(() ->
                        setting.apply(Cleanup.builder(DATABASE.dataSource())).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    static Stream<Arguments> settingOutOfBoundsIsRefused() {
        return Stream.of(
                refused(
                        builder -> builder.publishedEvents(Duration.ZERO),
                        "publishedEvents must be between PT1M and PT876000H (was PT0S)"),
                refused(
                        builder -> builder.processedEvents(Duration.ofDays(36_501)),
                        "processedEvents must be between PT1M and PT876000H (was PT876024H)"),
                refused(
                        builder -> builder.every(Duration.ofMillis(999)),
                        "every must be between PT1S and PT168H (was PT0.999S)"),
                refused(
                        builder -> builder.every(LONG.plusMillis(1)),
                        "every must be between PT1S and PT168H (was PT168H0.001S)"),
                refused(builder -> builder.schema(" "), "schema must be the name of a schema (was blank)"),
                refused(
                        builder -> builder.withoutPublishedEvents().withoutProcessedEvents(),
                        "publishedEvents or processedEvents must be cleaned up (was neither)"));
    }

    private static Arguments refused(UnaryOperator<Cleanup.Builder> setting, String message) {
        return arguments(setting, message);
    }

    private static void published(int events, String age) {
        DATABASE.execute("insert into outbox_events (aggregate_type, aggregate_id, event_type, payload, processed_at)"
                + " select 'order', '1', 'order.created', '1', now() - interval '" + age
                + "' from generate_series(1, " + events + ")");
    }

    private static void applied(int events, String age) {
        DATABASE.execute("insert into processed_events select 'shipping', gen_random_uuid(), now() - interval '" + age
                + "' from generate_series(1, " + events + ")");
    }

    /** How many there are in the outbox, of these dead, and applied. */
    private static String rows() {
        return DATABASE.value("select (select count(*) || ' ' || count(dead_at) from outbox_events) || ' '"
                + " || (select count(*) from processed_events)");
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

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("outbox-cleanup-"))
                .count();
    }
}
