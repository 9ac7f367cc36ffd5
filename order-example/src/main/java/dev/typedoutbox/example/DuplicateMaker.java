package dev.typedoutbox.example;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import dev.typedoutbox.example.orders.Topology;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeoutException;

/**
 * Delivers each tenth message a second time, as happens when a relay crashes between the broker's confirmation and its own
 * commit. It listens on a queue of its own beside the consumer's and knows nothing of the library.
 */
final class DuplicateMaker implements AutoCloseable {
    private static final int EVERY = 10;

    private final Connection connection;
    private final Channel channel;
    private final Tally seen = new Tally();
    private final Tally copied = new Tally();
    private int messages;

    private DuplicateMaker(Connection connection) throws IOException {
        this.connection = connection;
        this.channel = connection.createChannel();
    }

    static DuplicateMaker start(ConnectionFactory broker) throws IOException, TimeoutException {
        DuplicateMaker maker = new DuplicateMaker(broker.newConnection("order-example duplicates"));
        maker.listen();
        return maker;
    }

    long messagesSeen(Collection<String> orderIds) {
        return seen.of(orderIds);
    }

    long copiesMade(Collection<String> orderIds) {
        return copied.of(orderIds);
    }

    @Override
    public void close() {
        connection.abort();
    }

    private void listen() throws IOException {
        String queue = "shipping-copies-" + UUID.randomUUID();
        channel.queueDeclare(queue, false, true, true, Map.of());
        channel.queueBind(queue, Topology.EXCHANGE, Topology.ALL_EVENTS);
        channel.basicConsume(queue, true, (tag, message) -> receive(message), tag -> {});
    }

    private void receive(Delivery message) throws IOException {
        String orderId = String.valueOf(message.getProperties().getHeaders().get("aggregate_id"));
        seen.count(orderId);
        messages++;
        if (messages % EVERY == 0) {
            copied.count(orderId);
            channel.basicPublish("", Topology.QUEUE, message.getProperties(), message.getBody());
        }
    }
}
