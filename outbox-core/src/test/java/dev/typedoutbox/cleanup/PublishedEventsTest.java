package dev.typedoutbox.cleanup;

import static dev.typedoutbox.relay.RelayFixture.eventually;
import static dev.typedoutbox.relay.RelayFixture.placesByAggregate;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.deadletter.DeadLetterFilter;
import dev.typedoutbox.deadletter.DeadLetters;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayFixture;
import dev.typedoutbox.relay.RelayState;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What was published long ago goes, and nothing else, whoever is at work meanwhile. */
@Timeout(120)
class PublishedEventsTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();
    private static final Executor THREADS = task -> new Thread(task).start();
    private static final Duration DAY = Duration.ofDays(1);

    /** With a bound, so that whoever waits for somebody fails. */
    private static final DataSource IMPATIENT = DATABASE.asRoleWith("lock_timeout", "10s");

    private static final PublishedEvents EVENTS = PublishedEvents.create(IMPATIENT);

    @BeforeEach
    void empty() {
        DATABASE.empty();
    }

    @Test
    void oldOnesGoAndYoungOnesStay() {
        published(7, "7 days 1 hour");
        published(5, "6 days 23 hours");

        assertThat(EVENTS.purge()).isEqualTo(7);

        assertThat(DATABASE.count("processed_at > now() - interval '7 days'")).isEqualTo(5);
        assertThat(DATABASE.count("true")).isEqualTo(5);
        assertThat(EVENTS.purge(Duration.ofDays(36_500))).isZero();
        assertThat(EVENTS.purge(Duration.ofMinutes(1))).isEqualTo(5);
    }

    @Test
    void whatIsToBeSentOrDeadStaysHoweverOldItIs() {
        DATABASE.insertEvents(30, 3);
        DATABASE.execute("update outbox_events set created_at = created_at - interval '2 years',"
                + " dead_at = case when aggregate_id = '1' then now() - interval '1 year' end,"
                + " retry_after = case when aggregate_id = '2' then now() - interval '1 year' end,"
                + " attempts = 3, last_error = 'no such queue'");

        assertThat(EVENTS.purge(Duration.ofMinutes(1))).isZero();
        assertThat(DATABASE.count("true")).isEqualTo(30);
    }

    @Test
    void discardedDeadLetterCanBeReadUntilItsTimeIsOver() {
        DATABASE.insertEvents(2, 1);
        DATABASE.execute("update outbox_events set dead_at = now() - interval '1 year'");
        DeadLetters.of(DATABASE.dataSource()).discardAll(DeadLetterFilter.ALL, "not wanted");
        assertThat(EVENTS.purge()).isZero();
        assertThat(DATABASE.count("last_error = 'discarded: not wanted'")).isEqualTo(2);

        DATABASE.execute("update outbox_events set processed_at = processed_at - interval '8 days'");
        assertThat(EVENTS.purge()).isEqualTo(2);
    }

    @Test
    void manyGoInBatchesOfTheirOwn() {
        published(12_000, "2 days");
        DATABASE.insertEvents(10, 10);
        DATABASE.execute("create table batches (tx bigint, events int)");
        DATABASE.execute("create function watch_batch() returns trigger language plpgsql as $$ begin"
                + " insert into batches select txid_current(), count(*) from gone; return null; end $$");
        DATABASE.execute("create trigger watch_batch after delete on outbox_events referencing old table as gone"
                + " for each statement execute function watch_batch()");
        try {
            assertThat(EVENTS.purge(DAY)).isEqualTo(12_000);

            assertThat(DATABASE.value("select sum(events) || ' ' || (max(events) <= 5000) from batches"))
                    .isEqualTo("12000 true");
            assertThat(DATABASE.value("select count(distinct tx) = count(*) and count(*) > 2 from batches"))
                    .isEqualTo("true");
        } finally {
            DATABASE.execute("drop trigger watch_batch on outbox_events");
        }
    }

    @Test
    void rowsThatSomebodyHasLockedAreLeftToTheNextPurge() throws SQLException {
        published(10, "2 days");
        try (Connection other = DATABASE.dataSource().getConnection()) {
            other.setAutoCommit(false);
            other.createStatement().execute("select from outbox_events where seq <= 3 for key share");

            assertThat(EVENTS.purge(DAY)).isEqualTo(7);
            other.commit();
        }
        assertThat(EVENTS.purge(DAY)).isEqualTo(3);
    }

    @Test
    void relayDrainsWhileTwoPurgesRunAndNobodyWaitsForAnybody() {
        published(40_000, "2 days");
        DATABASE.insertEvents(1_000, 10);
        DATABASE.execute("update outbox_events set dead_at = now() - interval '1 year', last_error = 'no such queue'"
                + " where processed_at is null");
        DATABASE.insertEvents(10_000, 100);
        InMemoryPublisher publisher = new InMemoryPublisher();
        List<RelayState> states = new CopyOnWriteArrayList<>();
        try (Relay relay =
                Relay.create(IMPATIENT, publisher, quick().batchSize(100).build())) {
            relay.onStateChange((state, reason) -> states.add(state));
            relay.start();

            CompletableFuture<Long> one = purgeInBackground();
            CompletableFuture<Long> two = purgeInBackground();
            eventually(() -> DATABASE.count("processed_at < now() - interval '1 day'") < 40_000);
            DATABASE.insertEvents(1_000, 100);

            assertThat(one.join() + two.join()).isEqualTo(40_000);
            RelayFixture.awaitPending(DATABASE, 0);
        }
        assertThat(states).doesNotContain(RelayState.WAITING_FOR_DATABASE);
        assertThat(publisher.sent()).extracting(OutboxEvent::id).hasSize(11_000).doesNotHaveDuplicates();
        assertThat(placesByAggregate(publisher.sent()).values())
                .allSatisfy(places -> assertThat(places).isSorted());
        assertThat(DATABASE.count("dead_at is not null")).isEqualTo(1_000);
        assertThat(DATABASE.count("processed_at is not null")).isEqualTo(11_000);
    }

    @Test
    void rowsMayLieInAnotherSchema() {
        OutboxSchema.migrate(DATABASE.dataSource(), "Order Outbox");
        published(3, "20 days");
        DATABASE.execute("insert into \"Order Outbox\".outbox_events"
                + " (aggregate_type, aggregate_id, event_type, payload, processed_at)"
                + " select 'order', '1', 'order.created', '1', processed_at from public.outbox_events limit 2");

        assertThat(PublishedEvents.create(DATABASE.dataSource(), "Order Outbox").purge())
                .isEqualTo(2);
        assertThat(DATABASE.count("true")).isEqualTo(3);
    }

    @Test
    void roleNeedsTheRightsThatAreToldAndNoOthers() {
        published(3, "20 days");

        assertThat(PublishedEvents.create(
                                DATABASE.asRoleThatMay("select, update (processed_at), delete on outbox_events"))
                        .purge())
                .isEqualTo(3);
    }

    @Test
    void timeOutOfTheRoleIsNotThatOfAPurge() {
        published(10, "20 days");
        DATABASE.execute("create function dawdle() returns trigger language plpgsql as"
                + " $$ begin perform pg_sleep(0.4); return null; end $$");
        DATABASE.execute("create trigger dawdle after delete on outbox_events"
                + " for each statement execute function dawdle()");
        try {
            assertThat(PublishedEvents.create(DATABASE.asRoleWith("statement_timeout", "200ms"))
                            .purge())
                    .isEqualTo(10);
        } finally {
            DATABASE.execute("drop trigger dawdle on outbox_events");
        }
    }

    @ParameterizedTest
    @CsvSource({"PT59.999S", "PT0S", "PT-24H", "PT876000H0.001S"})
    void retentionOutOfBoundsIsRefused(Duration retention) {
        published(3, "20 days");

        assertThatThrownBy(() -> EVENTS.purge(retention))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("retention must be between PT1M and PT876000H (was " + retention + ")");
        assertThat(DATABASE.count("true")).isEqualTo(3);
    }

    @Test
    void databaseThatIsAwayIsADataAccessException() {
        PGSimpleDataSource nobody = new PGSimpleDataSource();
        nobody.setPortNumbers(new int[] {1});

        assertThatThrownBy(() -> PublishedEvents.create(nobody).purge())
                .isInstanceOf(DataAccessException.class)
                .hasMessageStartingWith("published events could not be purged: ");
    }

    /** The given age is that of the youngest. */
    private static void published(int events, String age) {
        DATABASE.execute("insert into outbox_events (aggregate_type, aggregate_id, event_type, payload, processed_at)"
                + " select 'order', n % 100, 'order.created', to_jsonb(n), now() - interval '" + age
                + "' - n * interval '1 ms' from generate_series(0, " + (events - 1) + ") n");
    }

    private static CompletableFuture<Long> purgeInBackground() {
        return CompletableFuture.supplyAsync(() -> EVENTS.purge(DAY), THREADS);
    }
}
