package dev.typedoutbox.benchmark.peers.publisher;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.concurrent.TimeoutException;

/**
 * Publishes one message at a time and waits until the broker has confirmed it, each thread on a channel of its own: what a
 * handler can do that is called for one entry and must not return before the entry is safe.
 *
 * <p>Safe for use by several threads.
 */
public final class ConfirmedPublisher implements AutoCloseable {
    private static final int CONFIRM_TIMEOUT_MILLIS = 30_000;
    private static final int PERSISTENT = 2;

    private final Connection connection;
    private final String exchange;
    private final ThreadLocal<Channel> channels = ThreadLocal.withInitial(this::openChannel);

    private ConfirmedPublisher(Connection connection, String exchange) {
        this.connection = connection;
        this.exchange = exchange;
    }

    /**
     * Connects.
     *
     * @param amqpUri the broker
     * @param exchange where all messages go
     * @return the publisher
     * @throws IOException if the broker cannot be reached
     * @throws TimeoutException if it does not answer
     */
    public static ConfirmedPublisher connect(String amqpUri, String exchange) throws IOException, TimeoutException {
        ConnectionFactory factory = new ConnectionFactory();
        try {
            factory.setUri(amqpUri);
        } catch (URISyntaxException | GeneralSecurityException e) {
            throw new IllegalArgumentException("amqpUri must be a URI of AMQP", e);
        }
        return new ConfirmedPublisher(factory.newConnection("peer"), exchange);
    }

    /**
     * Publishes a persistent message and waits for its confirm.
     *
     * @param type the event's type, which becomes the routing key
     * @param payload the body
     * @throws IOException if the broker refuses it or the connection is lost
     * @throws TimeoutException if the confirm does not come
     * @throws InterruptedException if the thread is interrupted
     */
    public void publish(String type, String payload) throws IOException, TimeoutException, InterruptedException {
        Channel channel = channels.get();
        channel.basicPublish(exchange, type, properties(type), payload.getBytes(UTF_8));
        channel.waitForConfirmsOrDie(CONFIRM_TIMEOUT_MILLIS);
    }

    private static AMQP.BasicProperties properties(String type) {
        return new AMQP.BasicProperties.Builder()
                .contentType("application/json")
                .deliveryMode(PERSISTENT)
                .type(type)
                .build();
    }

    private Channel openChannel() {
        try {
            Channel channel = connection.createChannel();
            channel.confirmSelect();
            return channel;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
