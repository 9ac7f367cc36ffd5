package dev.typedoutbox.rabbit.docs;

import static org.assertj.core.api.Assertions.assertThat;
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
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

class QuickstartTest {
    private static final Path SOURCE = Path.of("src/test/java/dev/typedoutbox/rabbit/docs/QuickstartTest.java");
    private static final Path README = Path.of("../README.md");

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
        // topology
        QueueTopology topology = QueueTopology.builder("shipping")
                .boundTo("orders", "order.*") // the routing key is the event type
                .singleActiveConsumer() // keeps the order when the service has several instances
                .build();
        topology.declare(rabbit);
        // end of topology
        return topology;
    }

    private static void run(
            OutboxDatabase database, ConnectionFactory rabbit, QueueTopology topology, OrderPlaced order) {
        DataSource dataSource = database.dataSource();
        DataSource unpooled = dataSource;
        // quickstart
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
        // end
        await().until(() -> database.count("shipments where order_id = '4711'") == 1);
        consumer.close();
        relay.close();
        publisher.close();
    }

    @Test
    void readmeShowsTheCodeThatThisTestRuns() throws IOException {
        assertThat(Files.readString(README))
                .contains("```java\n" + shown("// topology", "// end of topology") + "\n```")
                .contains("```java\n" + shown("// quickstart", "// end") + "\n```");
    }

    private static String shown(String from, String to) throws IOException {
        List<String> lines = Files.readAllLines(SOURCE).stream()
                .map(line -> line.replaceFirst("^ {8}", ""))
                .toList();
        return String.join("\n", lines.subList(lines.indexOf(from) + 1, lines.indexOf(to)));
    }
}
