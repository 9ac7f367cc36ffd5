package dev.typedoutbox.example.orders;

import static dev.typedoutbox.example.generated.Tables.ORDERS;
import static dev.typedoutbox.example.generated.enums.OrderStatus.cancelled;
import static dev.typedoutbox.example.generated.enums.OrderStatus.created;
import static dev.typedoutbox.example.generated.enums.OrderStatus.paid;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.example.generated.enums.OrderStatus;
import dev.typedoutbox.example.generated.tables.records.OrdersRecord;
import java.util.Set;
import java.util.UUID;
import org.jooq.Configuration;
import org.jooq.DSLContext;

/** Orders, and what happens to them. Each change and its event are one transaction: both are there, or neither. */
final class OrderService {
    private final DSLContext dsl;
    private final Outbox outbox;

    OrderService(DSLContext dsl, Outbox outbox) {
        this.dsl = dsl;
        this.outbox = outbox;
    }

    Order place(NewOrder order) {
        return dsl.transactionResult(tx -> {
            OrdersRecord row = order.toRow(tx.dsl());
            row.insert();
            outbox.publish(tx, event("order.created", row));
            return Order.of(row);
        });
    }

    Order pay(UUID id) {
        return change(id, Set.of(created), paid, "order.paid");
    }

    Order cancel(UUID id) {
        return change(id, Set.of(created, paid), cancelled, "order.cancelled");
    }

    Order find(UUID id) {
        return Order.of(dsl.fetchOptional(ORDERS, ORDERS.ID.eq(id)).orElseThrow(() -> new OrderNotFoundException(id)));
    }

    private Order change(UUID id, Set<OrderStatus> from, OrderStatus to, String eventType) {
        return dsl.transactionResult(tx -> {
            OrdersRecord row = lock(tx, id);
            if (!from.contains(row.getStatus())) {
                throw new OrderStateException(id, from, to, row.getStatus());
            }
            row.setStatus(to).update();
            outbox.publish(tx, event(eventType, row));
            return Order.of(row);
        });
    }

    /** Whoever holds the order's row writes the next event, so the events of an order have the order of its changes. */
    private static OrdersRecord lock(Configuration tx, UUID id) {
        return tx.dsl()
                .selectFrom(ORDERS)
                .where(ORDERS.ID.eq(id))
                .forUpdate()
                .fetchOptional()
                .orElseThrow(() -> new OrderNotFoundException(id));
    }

    private static NewEvent event(String type, OrdersRecord row) {
        return NewEvent.of("order", row.getId().toString(), type, Order.of(row));
    }
}
