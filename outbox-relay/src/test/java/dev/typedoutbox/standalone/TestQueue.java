package dev.typedoutbox.standalone;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import dev.typedoutbox.servers.AmqpServer;
import java.net.URI;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** An exchange of the test's own, and a queue that takes all that it is sent. */
final class TestQueue {
    private final AmqpServer server;
    private final String exchange = "exchange-" + UUID.randomUUID();
    private final String queue = "queue-" + UUID.randomUUID();
    private final Set<UUID> received = new HashSet<>();

    private TestQueue(AmqpServer server) {
        this.server = server;
    }

    static TestQueue create() {
        return on(AmqpServer.shared());
    }

    static TestQueue on(AmqpServer server) {
        TestQueue queue = new TestQueue(server);
        queue.declare();
        return queue;
    }

    String exchange() {
        return exchange;
    }

    /** What a relay needs to find it: the login apart from the address. */
    Map<String, String> environment() {
        return environment(server.uri());
    }

    Map<String, String> environment(URI uri) {
        String[] login = uri.getUserInfo().split(":", 2);
        return Map.of(
                "OUTBOX_AMQP_URI",
                uri.toString().replace(uri.getRawUserInfo() + "@", ""),
                "OUTBOX_AMQP_USER",
                login[0],
                "OUTBOX_AMQP_PASSWORD",
                login[1],
                "OUTBOX_EXCHANGE",
                exchange);
    }

    /** Takes what is there now; the ids of all that ever came. */
    Set<UUID> received() {
        onChannel(channel -> {
            for (GetResponse message = channel.basicGet(queue, true);
                    message != null;
                    message = channel.basicGet(queue, true)) {
                received.add(UUID.fromString(message.getProps().getMessageId()));
            }
        });
        return received;
    }

    private void declare() {
        onChannel(channel -> {
            channel.exchangeDeclare(exchange, BuiltinExchangeType.TOPIC, true);
            channel.queueDeclare(queue, true, false, false, null);
            channel.queueBind(queue, exchange, "order.#");
        });
    }

    private void onChannel(Work work) {
        ConnectionFactory factory = new ConnectionFactory();
        try {
            factory.setUri(server.uri());
            try (Connection connection = factory.newConnection();
                    Channel channel = connection.createChannel()) {
                work.on(channel);
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private interface Work {
        void on(Channel channel) throws Exception;
    }
}
