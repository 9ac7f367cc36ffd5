package dev.typedoutbox.consumer;

import static dev.typedoutbox.relay.RelayFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.support.OutboxDatabase;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jooq.Configuration;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class IdempotentConsumerTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();
    private static final EventHandler SHIP = (tx, event) -> tx.execute("insert into shipments values ('x')");

    /** Not the common pool: on a machine with two cores that has one thread, and the deliveries would not meet. */
    private static final Executor THREADS = task -> new Thread(task).start();

    private final OutboxEvent event = OutboxEvent.builder(UUID.randomUUID()).build();

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
    void eventIsAppliedOnceAndThenADuplicate() {
        IdempotentConsumer consumer = consumer("shipping", SHIP);

        assertThat(consumer.apply(event)).isEqualTo(Applied.APPLIED);
        assertThat(consumer.apply(event)).isEqualTo(Applied.DUPLICATE);

        assertThat(shipments()).isEqualTo(1);
        assertThat(DATABASE.value("select consumer || ' ' || event_id from processed_events"))
                .isEqualTo("shipping " + event.id());
    }

    @Test
    void eachOfTwoConsumersAppliesTheEvent() {
        assertThat(consumer("shipping", SHIP).apply(event)).isEqualTo(Applied.APPLIED);
        assertThat(consumer("billing", SHIP).apply(event)).isEqualTo(Applied.APPLIED);

        assertThat(shipments()).isEqualTo(2);
    }

    @Test
    void runtimeExceptionOfTheHandlerPassesThroughAndRollsBack() {
        IdempotentConsumer failing = consumer("shipping", (tx, received) -> {
            SHIP.handle(tx, received);
            throw new IllegalStateException("no stock");
        });

        assertThatThrownBy(() -> failing.apply(event))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no stock");

        assertThat(shipments()).isZero();
        assertThat(consumer("shipping", SHIP).apply(event)).isEqualTo(Applied.APPLIED);
    }

    @Test
    void checkedExceptionOfTheHandlerIsWrappedAndRollsBack() {
        IdempotentConsumer failing = consumer("shipping", (tx, received) -> {
            SHIP.handle(tx, received);
            throw new IOException("no printer");
        });

        assertThatThrownBy(() -> failing.apply(event))
                .isInstanceOf(HandlerException.class)
                .hasMessage("event " + event.id() + " could not be applied: no printer")
                .hasCauseInstanceOf(IOException.class);
        assertThat(shipments()).isZero();
        assertThat(records()).isZero();
    }

    @Test
    void sqlExceptionOfTheHandlerIsADataAccessException() {
        IdempotentConsumer failing = consumer("shipping", (tx, received) -> {
            throw new SQLException("gone");
        });

        assertThatThrownBy(() -> failing.apply(event))
                .isInstanceOf(DataAccessException.class)
                .hasMessage("event " + event.id() + " could not be applied: gone");
    }

    @Test
    void handlerThatSwallowsASqlErrorDoesNotLoseTheEvent() {
        IdempotentConsumer swallowing = consumer("shipping", (tx, received) -> {
            SHIP.handle(tx, received);
            assertThatThrownBy(() -> tx.execute("insert into nowhere values (1)"))
                    .isInstanceOf(DataAccessException.class);
        });

        assertThatThrownBy(() -> swallowing.apply(event))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("(was aborted by an error)");
        assertThat(shipments()).isZero();
        assertThat(consumer("shipping", SHIP).apply(event)).isEqualTo(Applied.APPLIED);
    }

    @Test
    void handlerThatEndsTheTransactionDoesNotLoseTheEvent() {
        IdempotentConsumer ending = consumer("shipping", (tx, received) -> tx.execute("rollback"));

        assertThatThrownBy(() -> ending.apply(event))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("(was ended)");
        assertThat(consumer("shipping", SHIP).apply(event)).isEqualTo(Applied.APPLIED);
    }

    @Test
    void handlerMayGoOnAfterASqlErrorInANestedTransaction() {
        IdempotentConsumer careful = consumer("shipping", (tx, received) -> {
            assertThatThrownBy(() -> tx.transaction(nested -> nested.dsl().execute("insert into nowhere values (1)")))
                    .isInstanceOf(DataAccessException.class);
            SHIP.handle(tx, received);
        });

        assertThat(careful.apply(event)).isEqualTo(Applied.APPLIED);
        assertThat(shipments()).isEqualTo(1);
    }

    @Test
    void transactionThatTheHandlerOpensIsPartOfTheWhole() {
        IdempotentConsumer failing = consumer("shipping", (tx, received) -> {
            tx.transaction((Configuration nested) -> SHIP.handle(nested.dsl(), received));
            throw new IllegalStateException("after its own transaction");
        });
        assertThatThrownBy(() -> failing.apply(event)).hasMessage("after its own transaction");
        assertThat(shipments()).isZero();
        assertThat(records()).isZero();

        IdempotentConsumer half = consumer("shipping", (tx, received) -> {
            tx.transaction((Configuration nested) -> SHIP.handle(nested.dsl(), received));
            assertThatThrownBy(() -> tx.transaction((Configuration nested) -> {
                        SHIP.handle(nested.dsl(), received);
                        throw new IllegalStateException("only this half");
                    }))
                    .hasMessage("only this half");
        });
        assertThat(half.apply(event)).isEqualTo(Applied.APPLIED);
        assertThat(shipments()).isEqualTo(1);
    }

    @Test
    void handlerMayPublishEventsOfItsOwn() {
        Outbox outbox = Outbox.create();
        IdempotentConsumer consumer = consumer(
                "shipping", (tx, received) -> outbox.publish(tx, NewEvent.of("shipment", "1", "shipment.sent", "x")));

        consumer.apply(event);
        consumer.apply(event);

        assertThat(DATABASE.count("event_type = 'shipment.sent'")).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
    void twoDeliveriesAtOnceHaveOneEffect(String isolation) {
        DataSource dataSource = DATABASE.asRoleWith("default_transaction_isolation", isolation);
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        IdempotentConsumer consumer = IdempotentConsumer.create(dataSource, "shipping", (tx, received) -> {
            calls.incrementAndGet();
            release.await();
            SHIP.handle(tx, received);
        });
        CompletableFuture<Applied> one = CompletableFuture.supplyAsync(() -> consumer.apply(event), THREADS);
        CompletableFuture<Applied> two = CompletableFuture.supplyAsync(() -> consumer.apply(event), THREADS);
        eventually(DATABASE::oneSessionWaits);
        release.countDown();

        assertThat(List.of(one.join(), two.join())).containsExactlyInAnyOrder(Applied.APPLIED, Applied.DUPLICATE);
        assertThat(calls).hasValue(1);
        assertThat(shipments()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"read committed", "serializable"})
    void deliveryThatWaitedDoesTheWorkWhenTheOtherRollsBack(String isolation) {
        DataSource dataSource = DATABASE.asRoleWith("default_transaction_isolation", isolation);
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        IdempotentConsumer consumer = IdempotentConsumer.create(dataSource, "shipping", (tx, received) -> {
            release.await();
            SHIP.handle(tx, received);
            if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("the first fails");
            }
        });
        CompletableFuture<Applied> one = CompletableFuture.supplyAsync(() -> consumer.apply(event), THREADS);
        CompletableFuture<Applied> two = CompletableFuture.supplyAsync(() -> consumer.apply(event), THREADS);
        eventually(DATABASE::oneSessionWaits);
        release.countDown();

        eventually(() -> one.isDone() && two.isDone());
        assertThat(Stream.of(one, two).filter(CompletableFuture::isCompletedExceptionally))
                .hasSize(1);
        assertThat(shipments()).isEqualTo(1);
        assertThat(consumer.apply(event)).isEqualTo(Applied.DUPLICATE);
    }

    @Test
    void recordsMayLieInAnotherSchemaThanTheHandlersTables() {
        OutboxSchema.migrate(DATABASE.dataSource(), "Order Outbox");
        IdempotentConsumer consumer =
                IdempotentConsumer.create(DATABASE.dataSource(), "shipping", SHIP, "Order Outbox");

        assertThat(consumer.apply(event)).isEqualTo(Applied.APPLIED);
        assertThat(consumer.apply(event)).isEqualTo(Applied.DUPLICATE);

        assertThat(shipments()).isEqualTo(1);
        assertThat(records()).isZero();
    }

    @Test
    void badNameIsRefused() {
        assertThatThrownBy(() -> consumer("", SHIP))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("consumer must be 1 to 100 characters (was 0)");
        assertThatThrownBy(() -> consumer("x".repeat(101), SHIP))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("consumer must be 1 to 100 characters (was 101)");
        assertThatThrownBy(() -> consumer("a\0", SHIP))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("consumer must not contain U+0000 (was at index 1)");
        assertThatThrownBy(() -> consumer("a\uD83D", SHIP))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("consumer must not contain a lone surrogate (was U+D83D at index 1)");
        assertThat(consumer("\uD83D\uDE00".repeat(100), SHIP).apply(event)).isEqualTo(Applied.APPLIED);
    }

    private static IdempotentConsumer consumer(String name, EventHandler handler) {
        return IdempotentConsumer.create(DATABASE.dataSource(), name, handler);
    }

    private static int shipments() {
        return Integer.parseInt(DATABASE.value("select count(*) from shipments"));
    }

    private static int records() {
        return Integer.parseInt(DATABASE.value("select count(*) from processed_events"));
    }
}
