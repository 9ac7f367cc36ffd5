package dev.typedoutbox.rabbit.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConnectionFactory;
import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.cleanup.ProcessedEvents;
import dev.typedoutbox.consumer.IdempotentConsumer;
import dev.typedoutbox.rabbit.QueueTopology;
import dev.typedoutbox.rabbit.RabbitConsumer;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.rabbit.support.Events;
import dev.typedoutbox.rabbit.support.OutboxDatabase;
import dev.typedoutbox.relay.RetryPolicy;
import dev.typedoutbox.servers.AmqpServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The code of docs/consuming.md. */
class ConsumingTest {

    private final Broker broker = Broker.shared();
    private final ConnectionFactory rabbit = broker.factory();

    record OrderPaid(String id) {}

    record Shipment(String orderId) {}

    @Test
    void consumerAppliesEventsAndPublishesWhatFollows() {
        assumeTrue(broker.server().isRabbitMq(), AmqpServer.HOW_TO_GET_RABBITMQ);
        try (OutboxDatabase database = OutboxDatabase.create()) {
            database.execute("create table shipments (order_id text primary key)");
            DataSource dataSource = database.dataSource();
            Outbox outbox = Outbox.create();
            IdempotentConsumer shipping = IdempotentConsumer.create(dataSource, "shipping", (tx, event) -> {
                OrderPaid paid = event.payloadAs(OrderPaid.class);
                tx.execute("insert into shipments values (?)", paid.id());
                outbox.publish(tx, NewEvent.of("shipment", paid.id(), "shipment.sent", new Shipment(paid.id())));
            });
            receive(shipping, dataSource, database);
        }
    }

    private void receive(IdempotentConsumer shipping, DataSource dataSource, OutboxDatabase database) {
        QueueTopology topology = QueueTopology.builder("consuming")
                .boundTo("paid-orders", "order.paid")
                .singleActiveConsumer()
                .build();
        topology.declare(rabbit);

        RabbitConsumer consumer = RabbitConsumer.builder(rabbit, topology.queue(), shipping)
                .deadLetterExchange(topology.deadLetterExchange())
                .retryPolicy(new RetryPolicy(8, Duration.ofSeconds(1), Duration.ofMinutes(5)))
                .build();
        consumer.start();
        OutboxEvent paid = Events.of("order.paid", Map.of(), "{\"id\": \"4711\"}");
        broker.publish("paid-orders", List.of(paid));
        await().until(() ->
                database.count("outbox_events where event_type = 'shipment.sent' and headers ->> 'causation_id' = '"
                                + paid.id() + "'")
                        == 1);
        consumer.close();
        long purged = ProcessedEvents.create(dataSource).purge(Duration.ofDays(30));
        assertThat(purged).isZero();
    }

    /** Compiled only: the exchange comes with a plugin. */
    static void spread(ConnectionFactory rabbit, Channel channel) throws IOException {
        channel.exchangeDeclare("shipping", "x-consistent-hash", true, false, Map.of("hash-header", "aggregate_id"));
        channel.exchangeBind("shipping", "orders", "order.*");
        for (int i = 0; i < 4; i++) {
            QueueTopology part = QueueTopology.builder("shipping." + i)
                    .deadLettersTo("shipping.dead")
                    .singleActiveConsumer()
                    .build();
            part.declare(rabbit);
            channel.queueBind(part.queue(), "shipping", "1"); // the queue's weight
        }
    }
}
