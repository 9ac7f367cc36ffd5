package dev.typedoutbox.example.orders;

import static dev.typedoutbox.example.generated.Tables.SHIPMENTS;
import static org.jooq.impl.DSL.excluded;
import static org.jooq.impl.DSL.greatest;
import static org.jooq.impl.DSL.when;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.EventHandler;
import dev.typedoutbox.example.generated.enums.ShipmentStatus;
import java.util.Map;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.DSLContext;

/**
 * Keeps one shipment for each order. Runs in the transaction that records the event as applied, so it need not ask whether
 * it has seen the event before.
 */
final class Shipping implements EventHandler {
    private static final String FIRST = "order.created";
    private static final Map<String, ShipmentStatus> STATUS_AFTER = Map.of(
            FIRST,
            ShipmentStatus.waiting,
            "order.paid",
            ShipmentStatus.ready,
            "order.cancelled",
            ShipmentStatus.stopped);

    @Override
    public void handle(DSLContext tx, OutboxEvent event) {
        ShipmentStatus status = STATUS_AFTER.get(event.eventType());
        if (status != null) {
            apply(tx, event, status);
        }
    }

    /** The library promises the order of the events of an order; the example does not take its word for it. */
    private static void apply(DSLContext tx, OutboxEvent event, ShipmentStatus status) {
        Condition late = SHIPMENTS.LAST_SEQ.gt(excluded(SHIPMENTS.LAST_SEQ));
        tx.insertInto(SHIPMENTS)
                .set(SHIPMENTS.ORDER_ID, UUID.fromString(event.aggregateId()))
                .set(SHIPMENTS.STATUS, status)
                .set(SHIPMENTS.LAST_SEQ, event.seq())
                .set(SHIPMENTS.OUT_OF_ORDER, event.eventType().equals(FIRST) ? 0 : 1)
                .onConflict(SHIPMENTS.ORDER_ID)
                .doUpdate()
                .set(SHIPMENTS.STATUS, when(late, SHIPMENTS.STATUS).otherwise(excluded(SHIPMENTS.STATUS)))
                .set(SHIPMENTS.LAST_SEQ, greatest(SHIPMENTS.LAST_SEQ, excluded(SHIPMENTS.LAST_SEQ)))
                .set(
                        SHIPMENTS.OUT_OF_ORDER,
                        SHIPMENTS.OUT_OF_ORDER.plus(when(late, 1).otherwise(0)))
                .execute();
    }
}
