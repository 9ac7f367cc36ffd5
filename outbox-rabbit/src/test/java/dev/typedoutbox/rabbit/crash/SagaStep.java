package dev.typedoutbox.rabbit.crash;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.EventHandler;
import java.util.Map;
import org.jooq.DSLContext;

/**
 * The steps of an order's saga, which nobody directs: each handles an event, writes its row and publishes the event that
 * another step waits for. Every fourth order cannot be shipped; its payment is given back.
 */
enum SagaStep implements EventHandler {
    PAY("order.placed"),
    SHIP("payment.taken"),
    CLOSE("shipment.sent"),
    REFUND("shipment.refused"),
    CANCEL("payment.refunded");

    private final String eventType;

    SagaStep(String eventType) {
        this.eventType = eventType;
    }

    /** What it handles. */
    String eventType() {
        return eventType;
    }

    @Override
    public void handle(DSLContext tx, OutboxEvent event) {
        String order = event.aggregateId();
        switch (this) {
            case PAY -> {
                tx.execute("insert into payments values (?)", order);
                publish(tx, "payment", order, "payment.taken");
            }
            case SHIP -> ship(tx, order);
            case CLOSE -> end(tx, order, "shipped");
            case REFUND -> {
                tx.execute("insert into refunds values (?)", order);
                publish(tx, "payment", order, "payment.refunded");
            }
            case CANCEL -> end(tx, order, "cancelled");
        }
    }

    private static void ship(DSLContext tx, String order) {
        if (Integer.parseInt(order) % 4 == 0) {
            publish(tx, "shipment", order, "shipment.refused");
        } else {
            tx.execute("insert into shipments values (?)", order);
            publish(tx, "shipment", order, "shipment.sent");
        }
    }

    private static void end(DSLContext tx, String order, String status) {
        tx.execute("update orders set status = ?, endings = endings + 1 where id = ?", status, order);
    }

    private static void publish(DSLContext tx, String aggregateType, String order, String eventType) {
        Outbox.create().publish(tx, NewEvent.of(aggregateType, order, eventType, Map.of("order", order)));
    }
}
