package dev.typedoutbox.consumer;

import static dev.typedoutbox.relay.RelayFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.support.OutboxDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One event in two transactions of callers at the same time. */
@Timeout(60)
class CallersAtOnceTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();
    private static final EventHandler SHIP = (tx, event) -> tx.execute("insert into shipments values ('x')");
    private static final Executor THREADS = task -> new Thread(task).start();

    private final OutboxEvent event = anEvent();

    @BeforeAll
    static void createTheHandlersTable() {
        DATABASE.execute("create table shipments (note text)");
    }

    @BeforeEach
    void empty() {
        DATABASE.empty();
        DATABASE.execute("truncate shipments");
    }

    @ParameterizedTest
    @EnumSource
    void ofTwoCallersAtOnceOneDoesTheWork(CallersWay way) {
        CountDownLatch release = new CountDownLatch(1);
        IdempotentConsumer consumer = consumer((tx, received) -> {
            release.await();
            SHIP.handle(tx, received);
        });

        CompletableFuture<Applied> one = inBackground(way, consumer, () -> {});
        CompletableFuture<Applied> two = inBackground(way, consumer, () -> {});
        eventually(DATABASE::oneSessionWaits);
        release.countDown();

        assertThat(List.of(one.join(), two.join())).containsExactlyInAnyOrder(Applied.APPLIED, Applied.DUPLICATE);
        assertThat(shipments()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void callerWhoWaitedDoesTheWorkWhenTheOtherRollsBack(CallersWay way) {
        CountDownLatch release = new CountDownLatch(1);
        IdempotentConsumer consumer = consumer((tx, received) -> {
            release.await();
            SHIP.handle(tx, received);
        });
        AtomicBoolean failed = new AtomicBoolean();
        Runnable theFirstFails = () -> {
            if (failed.compareAndSet(false, true)) {
                throw new IllegalStateException("the first thinks again");
            }
        };

        CompletableFuture<Applied> one = inBackground(way, consumer, theFirstFails);
        CompletableFuture<Applied> two = inBackground(way, consumer, theFirstFails);
        eventually(DATABASE::oneSessionWaits);
        release.countDown();

        eventually(() -> one.isDone() && two.isDone());
        assertThat(Stream.of(one, two).filter(done -> !done.isCompletedExceptionally()))
                .singleElement()
                .satisfies(done -> assertThat(done.join()).isEqualTo(Applied.APPLIED));
        assertThat(shipments()).isEqualTo(1);
        assertThat(records()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
    void eventAppliedAfterTheSnapshotIsASerializationFailureThatIsSurvived(int isolation) throws Exception {
        OutboxEvent known = anEvent();
        consumer(SHIP).apply(known);
        try (Connection tx = transaction()) {
            tx.setTransactionIsolation(isolation);
            assertThat(consumer(SHIP).apply(tx, known)).isEqualTo(Applied.DUPLICATE);
            consumer(SHIP).apply(event);

            assertThatThrownBy(() -> consumer(SHIP).apply(tx, event))
                    .isInstanceOfSatisfying(
                            DataAccessException.class,
                            e -> assertThat(e.sqlState()).isEqualTo("40001"));
            assertThat(consumer(SHIP).apply(tx, anEvent())).isEqualTo(Applied.APPLIED);
            tx.commit();

            assertThat(consumer(SHIP).apply(tx, event)).isEqualTo(Applied.DUPLICATE);
        }
        assertThat(shipments()).isEqualTo(3);
    }

    @Test
    void duplicateUnderWayIsASerializationFailureAtRepeatableRead() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        IdempotentConsumer slow = consumer((handed, received) -> {
            calls.incrementAndGet();
            release.await();
        });
        CompletableFuture<Applied> winner = CompletableFuture.supplyAsync(() -> slow.apply(event), THREADS);
        eventually(() -> calls.get() == 1);
        CompletableFuture<Applied> loser = CompletableFuture.supplyAsync(
                () -> {
                    try (Connection tx = transaction()) {
                        tx.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                        return slow.apply(tx, event);
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                },
                THREADS);
        eventually(DATABASE::oneSessionWaits);
        release.countDown();

        assertThat(winner.join()).isEqualTo(Applied.APPLIED);
        assertThatThrownBy(loser::join)
                .cause()
                .isInstanceOfSatisfying(
                        DataAccessException.class, e -> assertThat(e.sqlState()).isEqualTo("40001"));
        assertThat(calls).hasValue(1);
    }

    private CompletableFuture<Applied> inBackground(
            CallersWay way, IdempotentConsumer consumer, Runnable beforeTheCommit) {
        return CompletableFuture.supplyAsync(
                () -> {
                    AtomicReference<Applied> applied = new AtomicReference<>();
                    way.inTransaction(DATABASE, apply -> {
                        applied.set(apply.with(consumer, event));
                        beforeTheCommit.run();
                    });
                    return applied.get();
                },
                THREADS);
    }

    private static Connection transaction() throws SQLException {
        Connection connection = DATABASE.dataSource().getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    private static IdempotentConsumer consumer(EventHandler handler) {
        return IdempotentConsumer.create(DATABASE.dataSource(), "shipping", handler);
    }

    private static OutboxEvent anEvent() {
        return OutboxEvent.builder(UUID.randomUUID()).build();
    }

    private static int shipments() {
        return Integer.parseInt(DATABASE.value("select count(*) from shipments"));
    }

    private static int records() {
        return Integer.parseInt(DATABASE.value("select count(*) from processed_events"));
    }
}
