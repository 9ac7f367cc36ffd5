package dev.typedoutbox.example.orders;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** Exchange, queue and binding. The library declares nothing: what a broker holds belongs to those who run it. */
public final class Topology {
    /** The topic exchange that all events of orders go to: {@value}. */
    public static final String EXCHANGE = "orders";

    /** The events of orders by routing key, which is the event's type: {@value}. */
    public static final String ALL_EVENTS = "order.*";

    /** The queue of the shipping consumer: {@value}. */
    public static final String QUEUE = "shipping";

    private Topology() {}

    static void declare(ConnectionFactory broker) throws IOException, TimeoutException {
        try (Connection connection = broker.newConnection("order-example topology");
                Channel channel = connection.createChannel()) {
            channel.exchangeDeclare(EXCHANGE, BuiltinExchangeType.TOPIC, true);
            channel.queueDeclare(QUEUE, true, false, false, Map.of());
            channel.queueBind(QUEUE, EXCHANGE, ALL_EVENTS);
        }
    }
}
