package dev.typedoutbox.example.orders;

import static dev.typedoutbox.example.generated.Tables.SHIPMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.Applied;
import dev.typedoutbox.consumer.IdempotentConsumer;
import dev.typedoutbox.example.generated.enums.ShipmentStatus;
import dev.typedoutbox.example.generated.tables.records.ShipmentsRecord;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ShippingTest {
    private final ExampleDatabase database = new ExampleDatabase();
    private final IdempotentConsumer shipping =
            IdempotentConsumer.create(database.dataSource(), OrderApplication.CONSUMER, new Shipping());
    private final UUID orderId = UUID.randomUUID();

    @Test
    void shipmentFollowsTheOrder() {
        shipping.apply(event("order.created", 1));
        assertThat(shipment().getStatus()).isEqualTo(ShipmentStatus.waiting);

        shipping.apply(event("order.paid", 5));
        assertThat(shipment().getStatus()).isEqualTo(ShipmentStatus.ready);

        shipping.apply(event("order.cancelled", 6));
        assertThat(shipment().getStatus()).isEqualTo(ShipmentStatus.stopped);
        assertThat(shipment().getOutOfOrder()).isZero();
    }

    @Test
    void secondDeliveryChangesNothing() {
        OutboxEvent created = event("order.created", 1);
        shipping.apply(created);
        shipping.apply(event("order.paid", 2));

        assertThat(shipping.apply(created)).isEqualTo(Applied.DUPLICATE);
        assertThat(shipment().getStatus()).isEqualTo(ShipmentStatus.ready);
        assertThat(shipment().getOutOfOrder()).isZero();
    }

    @Test
    void eventThatComesTooLateIsCountedAndDoesNotTurnBackTheShipment() {
        shipping.apply(event("order.created", 1));
        shipping.apply(event("order.cancelled", 3));
        shipping.apply(event("order.paid", 2));

        assertThat(shipment().getStatus()).isEqualTo(ShipmentStatus.stopped);
        assertThat(shipment().getOutOfOrder()).isEqualTo(1);
    }

    @Test
    void eventBeforeTheFirstIsCounted() {
        shipping.apply(event("order.paid", 2));

        assertThat(shipment().getOutOfOrder()).isEqualTo(1);
    }

    @Test
    void eventsThatShippingDoesNotKnowAreNoneOfItsBusiness() {
        assertThat(shipping.apply(event("order.praised", 1))).isEqualTo(Applied.APPLIED);

        assertThat(database.dsl().fetchCount(SHIPMENTS)).isZero();
    }

    private ShipmentsRecord shipment() {
        return database.dsl().fetchSingle(SHIPMENTS, SHIPMENTS.ORDER_ID.eq(orderId));
    }

    private OutboxEvent event(String type, long seq) {
        return OutboxEvent.builder(UUID.randomUUID())
                .aggregate("order", orderId.toString(), seq)
                .eventType(type)
                .build();
    }
}
