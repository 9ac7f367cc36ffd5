package dev.typedoutbox.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/** One durable queue of a server, reached through one connection. */
final class Mailbox implements AutoCloseable {

    private final String queue;
    private final Connection connection;
    private final Channel channel;

    Mailbox(URI uri, String queue) throws Exception {
        this.queue = queue;
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(uri);
        factory.setAutomaticRecoveryEnabled(false);
        connection = factory.newConnection();
        channel = connection.createChannel();
        channel.confirmSelect();
        channel.queueDeclare(queue, true, false, false, Map.of());
    }

    void send(String text) throws Exception {
        send(text, 10_000);
    }

    /** Throws a TimeoutException when the confirm does not come, and leaves the channel open. */
    void send(String text, long timeoutMillis) throws Exception {
        channel.basicPublish("", queue, MessageProperties.PERSISTENT_TEXT_PLAIN, text.getBytes(UTF_8));
        channel.waitForConfirms(timeoutMillis);
    }

    Optional<String> take() throws Exception {
        return Optional.ofNullable(channel.basicGet(queue, true))
                .map(GetResponse::getBody)
                .map(body -> new String(body, UTF_8));
    }

    boolean isOpen() {
        return connection.isOpen();
    }

    @Override
    public void close() {
        connection.abort(1_000);
    }
}
