package dev.typedoutbox.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.val;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.ApplyOutcome.Kind;
import dev.typedoutbox.support.OutboxDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Many events in one transaction, and what becomes of them when one of them fails. */
@Timeout(60)
class IdempotentBatchTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();
    private static final Executor THREADS = task -> new Thread(task).start();
    private static final EventHandler SHIP =
            (tx, event) -> tx.execute("insert into shipments values (cast({0} as text))", val(event.aggregateId()));

    @BeforeAll
    static void createTheHandlersTable() {
        DATABASE.execute("create table shipments (note text)");
    }

    @BeforeEach
    void empty() {
        DATABASE.empty();
        DATABASE.execute("truncate shipments");
    }

    @Test
    void eventsOfABatchCommitTogether() {
        List<OutboxEvent> events = events(50);

        assertThat(consumer(SHIP).applyAll(events))
                .isEqualTo(events.stream()
                        .map(event -> ApplyOutcome.of(event, Applied.APPLIED))
                        .toList());

        assertThat(shipments()).isEqualTo(50);
        assertThat(DATABASE.value("select count(distinct xmin::text) from shipments"))
                .isEqualTo("1");
    }

    @Test
    void eventsAreAppliedInTheirOrder() {
        List<OutboxEvent> handled = new ArrayList<>();
        List<OutboxEvent> events = events(20);

        consumer((tx, event) -> handled.add(event)).applyAll(events);

        assertThat(handled).isEqualTo(events);
    }

    @Test
    void emptyBatchDoesNothing() {
        assertThat(consumer(SHIP).applyAll(List.of())).isEmpty();
    }

    @Test
    void duplicatesInABatchAndFromBeforeAreDropped() {
        IdempotentConsumer consumer = consumer(SHIP);
        OutboxEvent before = event("1");
        OutboxEvent twice = event("2");
        consumer.apply(before);

        assertThat(consumer.applyAll(List.of(twice, before, twice)))
                .extracting(ApplyOutcome::kind)
                .containsExactly(Kind.APPLIED, Kind.DUPLICATE, Kind.DUPLICATE);

        assertThat(shipments()).isEqualTo(2);
    }

    @Test
    void eventThatFailsIsIsolatedAndHoldsBackItsAggregate() {
        List<OutboxEvent> events = List.of(event("1"), event("2"), event("3"), event("2"), event("1"));
        IllegalStateException failure = new IllegalStateException("no stock");

        List<ApplyOutcome> outcomes = consumer(failingFor("2", failure)).applyAll(events);

        assertThat(outcomes)
                .extracting(ApplyOutcome::kind)
                .containsExactly(Kind.APPLIED, Kind.FAILED, Kind.APPLIED, Kind.HELD_BACK, Kind.APPLIED);
        assertThat(outcomes.get(1).failure()).isSameAs(failure);
        assertThat(notes()).containsExactly("1", "3", "1");

        assertThat(consumer(SHIP).applyAll(events))
                .extracting(ApplyOutcome::kind)
                .containsExactly(Kind.DUPLICATE, Kind.APPLIED, Kind.DUPLICATE, Kind.APPLIED, Kind.DUPLICATE);
        assertThat(notes()).containsExactly("1", "3", "1", "2", "2");
    }

    @Test
    void eventsWithoutAnAggregateDoNotHoldEachOtherBack() {
        AtomicInteger calls = new AtomicInteger();
        IdempotentConsumer consumer = consumer((tx, event) -> {
            if (calls.incrementAndGet() <= 2) {
                throw new IllegalStateException("not yet");
            }
        });
        OutboxEvent one = OutboxEvent.builder(UUID.randomUUID()).build();
        OutboxEvent other = OutboxEvent.builder(UUID.randomUUID()).build();

        assertThat(consumer.applyAll(List.of(one, other)))
                .extracting(ApplyOutcome::kind)
                .containsExactly(Kind.FAILED, Kind.APPLIED);
    }

    @Test
    void handlerThatSwallowsASqlErrorFailsAloneAndLosesNothing() {
        IdempotentConsumer consumer = consumer((tx, event) -> {
            SHIP.handle(tx, event);
            if (event.aggregateId().equals("2")) {
                try {
                    tx.execute("select 1 / 0");
                } catch (DataAccessException e) {
                    // As handlers do that mean well.
                }
            }
        });

        assertThat(consumer.applyAll(List.of(event("1"), event("2"), event("3"))))
                .extracting(ApplyOutcome::kind)
                .containsExactly(Kind.APPLIED, Kind.FAILED, Kind.APPLIED);
        assertThat(notes()).containsExactly("1", "3");
    }

    @Test
    void eventThatFailsAtTheCommitIsIsolated() {
        DATABASE.execute("create table once (note text unique deferrable initially deferred)");
        IdempotentConsumer consumer = consumer(
                (tx, event) -> tx.execute("insert into once values (cast({0} as text))", val(event.aggregateType())));
        List<OutboxEvent> events = List.of(event("a", "1"), event("b", "2"), event("a", "3"), event("c", "4"));

        assertThat(consumer.applyAll(events))
                .extracting(ApplyOutcome::kind)
                .containsExactly(Kind.APPLIED, Kind.APPLIED, Kind.FAILED, Kind.APPLIED);
        assertThat(DATABASE.value("select count(*) from processed_events")).isEqualTo("3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
    void sameEventsInTwoBatchesAtOnceHaveOneEffectEach(String isolation) {
        DataSource dataSource = DATABASE.asRoleWith("default_transaction_isolation", isolation);
        IdempotentConsumer consumer = IdempotentConsumer.create(dataSource, "shipping", SHIP);
        List<OutboxEvent> all = new ArrayList<>();
        for (int round = 0; round < 20; round++) {
            List<OutboxEvent> events = events(40);
            List<OutboxEvent> backwards = new ArrayList<>(events);
            Collections.reverse(backwards);
            CompletableFuture<List<ApplyOutcome>> other =
                    CompletableFuture.supplyAsync(() -> consumer.applyAll(backwards), THREADS);
            List<ApplyOutcome> outcomes = new ArrayList<>(consumer.applyAll(events));
            outcomes.addAll(other.join());
            all.addAll(events);
            assertThat(outcomes).allMatch(ApplyOutcome::isDone);
        }
        assertThat(shipments()).isEqualTo(all.size());
        assertThat(DATABASE.value("select deadlocks from pg_stat_database where datname = current_database()"))
                .isEqualTo("0");
    }

    @Test
    void databaseThatIsAwayIsFoundOutOnce() {
        AtomicInteger connections = new AtomicInteger();
        PGSimpleDataSource nobody = new PGSimpleDataSource();
        nobody.setPortNumbers(new int[] {1});
        DataSource counted = new DelegatingDataSource(nobody) {
            @Override
            public Connection getConnection() throws SQLException {
                connections.incrementAndGet();
                return super.getConnection();
            }
        };

        assertThatThrownBy(() ->
                        IdempotentConsumer.create(counted, "shipping", SHIP).applyAll(events(50)))
                .isInstanceOf(DataAccessException.class)
                .hasMessageContaining("50 events could not be applied");
        assertThat(connections).hasValue(1);
    }

    @Test
    void sessionThatEndsInTheMiddleIsNoFaultOfAnEvents() {
        AtomicInteger calls = new AtomicInteger();
        IdempotentConsumer consumer = consumer((tx, event) -> {
            SHIP.handle(tx, event);
            if (calls.incrementAndGet() == 5) {
                tx.execute("select pg_terminate_backend(pg_backend_pid())");
            }
        });
        List<OutboxEvent> events = events(10);

        assertThat(consumer.applyAll(events)).extracting(ApplyOutcome::kind).containsOnly(Kind.APPLIED);
        assertThat(shipments()).isEqualTo(10);
        assertThat(calls).hasValue(5 + 10);
    }

    /** Else it would look like a database that is away, and be tried for ever, with all that came with it. */
    @Test
    void eventThatEndsItsSessionEachTimeFailsAndTheOthersAreApplied() {
        IdempotentConsumer consumer = consumer((tx, event) -> {
            SHIP.handle(tx, event);
            if (event.aggregateId().equals("order-4")) {
                try {
                    tx.execute("select pg_terminate_backend(pg_backend_pid())");
                } finally {
                    Thread.currentThread().interrupt();
                }
            }
        });
        List<ApplyOutcome> outcomes = consumer.applyAll(events(10));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(outcomes)
                .filteredOn(outcome -> outcome.kind() == Kind.FAILED)
                .singleElement()
                .satisfies(failed -> assertThat(failed.event().aggregateId()).isEqualTo("order-4"));
        assertThat(shipments()).isEqualTo(9);
    }

    @Test
    void noEventIsAtFaultWhenNothingCanBeRecorded() {
        DATABASE.execute("alter table processed_events rename to elsewhere");
        try {
            List<OutboxEvent> events = events(2);
            assertThatThrownBy(() -> consumer(SHIP).applyAll(events))
                    .isInstanceOf(DataAccessException.class)
                    .hasMessageContaining("could not be recorded as applied")
                    .hasMessageContaining("OutboxSchema.migrate");
            assertThat(shipments()).isZero();
        } finally {
            DATABASE.execute("alter table elsewhere rename to processed_events");
        }
    }

    @Test
    void eventWhoseRecordIsLockedIsHeldBackAndNotAtFault() throws SQLException {
        DataSource impatient = new DelegatingDataSource(DATABASE.dataSource()) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = super.getConnection();
                try (Statement statement = connection.createStatement()) {
                    statement.execute("set lock_timeout = '100ms'");
                }
                return connection;
            }
        };
        IdempotentConsumer consumer = IdempotentConsumer.create(impatient, "shipping", SHIP);
        try (Connection other = DATABASE.dataSource().getConnection()) {
            other.setAutoCommit(false);
            try (Statement statement = other.createStatement()) {
                statement.execute("lock table processed_events in access exclusive mode");
            }
            assertThat(consumer.applyAll(events(2)))
                    .extracting(ApplyOutcome::kind)
                    .containsExactly(Kind.HELD_BACK, Kind.HELD_BACK);
            other.rollback();
        }
        assertThat(consumer.applyAll(events(2))).extracting(ApplyOutcome::kind).containsOnly(Kind.APPLIED);
    }

    @Test
    void interruptionThatAHandlerMeetsDoesNotReachTheOtherEvents() {
        IdempotentConsumer consumer = consumer((tx, event) -> {
            if (event.aggregateId().equals("order-1")) {
                throw new InterruptedException("on purpose");
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted");
            }
            SHIP.handle(tx, event);
        });
        assertThat(consumer.applyAll(events(3)))
                .extracting(ApplyOutcome::kind)
                .containsExactly(Kind.APPLIED, Kind.FAILED, Kind.APPLIED);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void outcomeTellsAFailureIfThereIsOneAndOnlyThen() {
        OutboxEvent event = event("1");
        assertThatThrownBy(() -> new ApplyOutcome(event, Kind.FAILED, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("failure must be there if the event failed, and only then");
        assertThatThrownBy(() -> new ApplyOutcome(event, Kind.APPLIED, new IllegalStateException()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static EventHandler failingFor(String aggregateId, RuntimeException failure) {
        return (tx, event) -> {
            SHIP.handle(tx, event);
            if (event.aggregateId().equals(aggregateId)) {
                throw failure;
            }
        };
    }

    private static IdempotentConsumer consumer(EventHandler handler) {
        return IdempotentConsumer.create(DATABASE.dataSource(), "shipping", handler);
    }

    private static List<OutboxEvent> events(int count) {
        return IntStream.range(0, count).mapToObj(i -> event("order-" + i)).toList();
    }

    private static OutboxEvent event(String aggregateId) {
        return event("order", aggregateId);
    }

    private static OutboxEvent event(String aggregateType, String aggregateId) {
        return OutboxEvent.builder(UUID.randomUUID())
                .aggregate(aggregateType, aggregateId, 1)
                .build();
    }

    private static int shipments() {
        return Integer.parseInt(DATABASE.value("select count(*) from shipments"));
    }

    private static List<String> notes() {
        return DATABASE.column("select note from shipments order by ctid");
    }
}
