package dev.typedoutbox.rabbit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.rabbit.crash.Halt.Moment;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.rabbit.support.OutboxDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A saga by events alone, in a process that ends at one of its critical points after another and is started again. */
class SagaTest {
    /** So many events of the step are done before the one that the process ends with. */
    private static final int PASSING = 10;

    /** Before each of the ends, so that there is enough to do for the steps that every fourth order has. */
    private static final int ORDERS_A_TIME = 60;

    private static final List<Moment> MOMENTS = List.of(Moment.BEFORE_COMMIT, Moment.AFTER_COMMIT);
    private static final int ORDERS = ORDERS_A_TIME * MOMENTS.size() * SagaStep.values().length;
    private static final int CANCELLED = ORDERS / 4;
    private static final int SHIPPED = ORDERS - CANCELLED;
    /** The first event of each order, the payment taken, the shipment sent or refused, and the payment given back. */
    private static final int EVENTS = 3 * ORDERS + CANCELLED;

    private static final String FOLLOW_UPS_WITH_CAUSE = """
            outbox_events first
            join outbox_events follow_up using (aggregate_id)
            join outbox_events cause using (aggregate_id)
            where first.event_type = 'order.placed'
              and cause.event_type = case follow_up.event_type
                when 'payment.taken' then 'order.placed'
                when 'payment.refunded' then 'shipment.refused'
                when 'shipment.sent' then 'payment.taken'
                when 'shipment.refused' then 'payment.taken' end
              and follow_up.headers ->> 'causation_id' = cause.id::text
              and follow_up.headers ->> 'correlation_id' = first.id::text
            """;

    private static final Duration BOUND = Duration.ofSeconds(60);

    private final Broker broker = Broker.shared();
    private final String exchange = broker.exchange();
    private final String deadLetterExchange = broker.exchange();
    private final String deadLetters = broker.queue(deadLetterExchange, "#");
    private final List<String> queues = Arrays.stream(SagaStep.values())
            .map(step -> broker.safeQueue(exchange, step.eventType(), deadLetterExchange))
            .toList();

    @Test
    void sagasEndAsTheyShouldThoughEachStepDiesBeforeItsCommitAndAfterIt() {
        try (OutboxDatabase database = OutboxDatabase.create()) {
            database.execute("create table orders (id text primary key, status text, endings int default 0)");
            database.execute("create table payments (order_id text)");
            database.execute("create table shipments (order_id text)");
            database.execute("create table refunds (order_id text)");
            for (Moment moment : MOMENTS) {
                for (SagaStep step : SagaStep.values()) {
                    placeOrders(database);
                    endIn(database, step, moment);
                }
            }
            try (ChildJvm saga = saga(database, SagaStep.PAY, Moment.NEVER)) {
                await().atMost(BOUND).until(() -> isOver(database));
                saga.end();
            }
            requireEachOrderEnded(database);
            requireEachEventOnce(database);
            requireEachEventNamesItsCause(database);
        }
        assertThat(broker.take(deadLetters)).isEmpty();
    }

    private void endIn(OutboxDatabase database, SagaStep step, Moment moment) {
        try (ChildJvm saga = saga(database, step, moment)) {
            assertThat(saga.awaitExit(BOUND)).as("%s %s", step, moment).isEqualTo(Halt.EXIT_VALUE);
        }
    }

    private static void placeOrders(OutboxDatabase database) {
        long placed = database.count("orders");
        List<String> next = LongStream.rangeClosed(placed + 1, placed + ORDERS_A_TIME)
                .mapToObj(Long::toString)
                .toList();
        database.inTransaction(tx -> place(tx, next));
    }

    private static List<?> place(Connection tx, List<String> orders) throws SQLException {
        List<NewEvent> events = new ArrayList<>();
        try (PreparedStatement insert = tx.prepareStatement("insert into orders values (?, 'placed')")) {
            for (String order : orders) {
                insert.setString(1, order);
                insert.executeUpdate();
                events.add(NewEvent.of("order", order, "order.placed", Map.of("order", order)));
            }
        }
        return Outbox.create().publishAll(tx, events);
    }

    private boolean isOver(OutboxDatabase database) {
        return database.count("orders where status = 'placed'") == 0
                && database.pending() == 0
                && queues.stream().allMatch(queue -> broker.ready(queue) == 0);
    }

    private static void requireEachOrderEnded(OutboxDatabase database) {
        assertThat(database.count("orders where endings = 1 and status = 'cancelled' and id::int % 4 = 0"))
                .as("cancelled")
                .isEqualTo(CANCELLED);
        assertThat(database.count("orders where endings = 1 and status = 'shipped' and id::int % 4 > 0"))
                .as("shipped")
                .isEqualTo(SHIPPED);
        requireOneRowEach(database, "payments", "true", ORDERS);
        requireOneRowEach(database, "shipments", "status = 'shipped'", SHIPPED);
        requireOneRowEach(database, "refunds", "status = 'cancelled'", CANCELLED);
    }

    private static void requireOneRowEach(OutboxDatabase database, String table, String orders, int number) {
        assertThat(database.count(table)).as(table).isEqualTo(number);
        assertThat(database.count("orders where " + orders + " and id in (select order_id from " + table + ")"))
                .as("orders with " + table)
                .isEqualTo(number);
    }

    private static void requireEachEventOnce(OutboxDatabase database) {
        assertThat(database.count("outbox_events")).as("events").isEqualTo(EVENTS);
        assertThat(database.count("(select distinct aggregate_id, event_type from outbox_events) as different"))
                .as("different events")
                .isEqualTo(EVENTS);
        assertThat(database.count("outbox_events where processed_at is null"))
                .as("not processed")
                .isZero();
        // Each event is handled by one step.
        assertThat(database.count("processed_events")).as("applied").isEqualTo(EVENTS);
    }

    private static void requireEachEventNamesItsCause(OutboxDatabase database) {
        assertThat(database.count(FOLLOW_UPS_WITH_CAUSE))
                .as("follow-ups with cause")
                .isEqualTo(EVENTS - ORDERS);
    }

    private ChildJvm saga(OutboxDatabase database, SagaStep step, Moment moment) {
        List<String> arguments = new ArrayList<>(List.of(
                database.database().jdbcUrl(),
                database.database().user(),
                database.database().password(),
                broker.server().uri().toString(),
                exchange,
                step.name(),
                moment.name(),
                Integer.toString(PASSING)));
        arguments.addAll(queues);
        return new ChildJvm(SagaMain.class, arguments);
    }
}
