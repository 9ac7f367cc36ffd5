package dev.typedoutbox.rabbit.docs;

import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.ConnectionFactory;
import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.consumer.IdempotentConsumer;
import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.rabbit.QueueTopology;
import dev.typedoutbox.rabbit.RabbitConsumer;
import dev.typedoutbox.rabbit.RabbitPublisher;
import dev.typedoutbox.rabbit.Routing;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.rabbit.support.OutboxDatabase;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import java.math.BigDecimal;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

/** The first steps of README, which {@link CodeBlocksTest} looks for here. */
class QuickstartTest {
    record OrderPlaced(String id, BigDecimal total) {}

    @Test
    void quickstartShipsTheOrder() throws Exception {
        Broker broker = Broker.shared();
        ConnectionFactory rabbit = broker.factory();
        QueueTopology topology = broker.server().isRabbitMq() ? declare(rabbit) : declareClassic(rabbit);
        try (OutboxDatabase database = OutboxDatabase.create()) {
            database.execute("create table orders (id text primary key, total numeric)");
            database.execute("create table shipments (order_id text primary key)");
            run(database, rabbit, topology, new OrderPlaced("4711", new BigDecimal("19.90")));
        }
    }

    private static QueueTopology declareClassic(ConnectionFactory rabbit) {
        QueueTopology topology = QueueTopology.builder("shipping")
                .boundTo("orders", "order.*")
                .classic()
                .build();
        topology.declare(rabbit);
        return topology;
    }

    private static QueueTopology declare(ConnectionFactory rabbit) {
        QueueTopology topology = QueueTopology.builder("shipping")
                .boundTo("orders", "order.*") // the routing key is the event type
                .singleActiveConsumer() // keeps the order when the service has several instances
                .build();
        topology.declare(rabbit);
        return topology;
    }

    private static void run(
            OutboxDatabase database, ConnectionFactory rabbit, QueueTopology topology, OrderPlaced order) {
        DataSource dataSource = database.dataSource();
        DataSource unpooled = dataSource;
        OutboxSchema.migrate(dataSource); // 1. the tables, once at the start

        Outbox outbox = Outbox.create(); // 2. order and event: one transaction, no broker
        DSL.using(dataSource, SQLDialect.POSTGRES).transaction(tx -> {
            tx.dsl().execute("insert into orders values (?, ?)", order.id(), order.total());
            outbox.publish(tx, NewEvent.of("order", order.id(), "order.placed", order));
        });

        RabbitPublisher publisher = RabbitPublisher.create(rabbit, Routing.toExchange("orders"));
        RelayConfig config = RelayConfig.builder().listenOn(unpooled).build();
        Relay relay = Relay.create(dataSource, publisher, config); // 3. outbox to RabbitMQ, from then on
        relay.start();

        IdempotentConsumer shipping = IdempotentConsumer.create(dataSource, "shipping", (tx, event) -> {
            OrderPlaced placed = event.payloadAs(OrderPlaced.class); // 4. each event applied once
            tx.execute("insert into shipments values (?)", placed.id());
        });
        RabbitConsumer consumer = RabbitConsumer.builder(rabbit, topology.queue(), shipping)
                .deadLetterExchange(topology.deadLetterExchange()) // 5. a place for what cannot be applied
                .build();
        consumer.start();
        await().until(() -> database.count("shipments where order_id = '4711'") == 1);
        consumer.close();
        relay.close();
        publisher.close();
    }
}
