package dev.typedoutbox.example.orders;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.typedoutbox.rabbit.QueueTopology;
import java.io.IOException;
import java.util.concurrent.TimeoutException;

/** The exchange, and the queue with a place for its dead letters. */
public final class Topology {
    /** The topic exchange that all events of orders go to: {@value}. */
    public static final String EXCHANGE = "orders";

    /** The events of orders by routing key, which is the event's type: {@value}. */
    public static final String ALL_EVENTS = "order.*";

    /** The queue of the shipping consumer: {@value}. */
    public static final String QUEUE = "shipping";

    /** Where shipping's dead letters go, to the queue of the same name: {@value}. */
    public static final String DEAD_LETTERS = "shipping.dead";

    private Topology() {}

    /** A real service knows its broker; the example runs on RabbitMQ and on others, which have no quorum queues. */
    static void declare(ConnectionFactory broker) throws IOException, TimeoutException {
        QueueTopology.Builder topology = QueueTopology.builder(QUEUE)
                .boundTo(EXCHANGE, ALL_EVENTS)
                .deadLettersTo(DEAD_LETTERS)
                .singleActiveConsumer();
        if (!isRabbitMq(broker)) {
            topology.classic();
        }
        topology.build().declare(broker);
    }

    private static boolean isRabbitMq(ConnectionFactory broker) throws IOException, TimeoutException {
        try (Connection connection = broker.newConnection("order-example topology")) {
            return "RabbitMQ"
                    .equals(String.valueOf(connection.getServerProperties().get("product")));
        }
    }
}
