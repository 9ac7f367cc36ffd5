package dev.typedoutbox.example.orders;

import static dev.typedoutbox.testkit.outbox.OutboxAssertions.assertThatOutbox;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.InvalidEventException;
import dev.typedoutbox.Outbox;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.TransactionContext;
import org.jooq.TransactionListener;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

class OrderServiceTest {
    private static final NewOrder ORDER = new NewOrder(
            "Zoë Żółć 李雷 مريم",
            Currency.getInstance("EUR"),
            List.of(new Item("Teapot", 3, new BigDecimal("19.90"))),
            "🎁");

    private final ExampleDatabase database = new ExampleDatabase();
    private final OrderService service = new OrderService(database.dsl(), Outbox.create());

    @Test
    void placedOrderAndItsEventAreThereTogether() {
        Order placed = service.place(ORDER);

        assertThat(service.find(placed.id())).isEqualTo(placed);
        assertThat(placed.total()).isEqualTo(new BigDecimal("59.70"));
        assertThatOutbox(database.dataSource()).hasExactlyTypes("order.created");
        assertThat(assertThatOutbox(database.dataSource())
                        .hasEvent("order.created")
                        .forAggregate("order", placed.id().toString())
                        .event()
                        .payloadAsTree()
                        .path("customer")
                        .asText())
                .isEqualTo("Zoë Żółć 李雷 مريم");
    }

    @Test
    void eventsOfAnOrderFollowItsChanges() {
        Order placed = service.place(ORDER);
        service.pay(placed.id());
        service.cancel(placed.id());

        assertThat(service.find(placed.id()).status()).isEqualTo("cancelled");
        assertThatOutbox(database.dataSource()).hasExactlyTypes("order.created", "order.paid", "order.cancelled");
    }

    @Test
    void refusedEventLeavesNoOrder() {
        Outbox tooSmall = Outbox.builder().maxPayloadBytes(10).build();
        OrderService refusing = new OrderService(database.dsl(), tooSmall);

        assertThatThrownBy(() -> refusing.place(ORDER))
                .isInstanceOf(InvalidEventException.class)
                .hasMessageStartingWith("payload must be at most 10 bytes (was ");
        assertThat(database.orders()).isZero();
        assertThatOutbox(database.dataSource()).isEmpty();
    }

    @Test
    void failureAfterTheEventWasWrittenLeavesNeitherOrderNorEvent() {
        OrderService failing = new OrderService(failingAtCommit(), Outbox.create());

        assertThatThrownBy(() -> failing.place(ORDER)).hasMessageContaining("the commit failed");
        assertThat(database.orders()).isZero();
        assertThatOutbox(database.dataSource()).isEmpty();
    }

    @Test
    void refusedChangeWritesNoEvent() {
        Order placed = service.place(ORDER);
        service.cancel(placed.id());

        assertThatThrownBy(() -> service.pay(placed.id()))
                .hasMessage("status must be created to become paid (was cancelled, order " + placed.id() + ")");
        assertThatThrownBy(() -> service.cancel(placed.id()))
                .hasMessageStartingWith("status must be created or paid to become cancelled (was cancelled");
        assertThatOutbox(database.dataSource()).hasExactlyTypes("order.created", "order.cancelled");
    }

    private DSLContext failingAtCommit() {
        return DSL.using(database.dsl().configuration().derive(new TransactionListener() {
            @Override
            public void commitStart(TransactionContext context) {
                throw new IllegalStateException("the commit failed");
            }
        }));
    }
}
