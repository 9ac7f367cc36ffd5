package dev.typedoutbox.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes dead letters to an exchange, with the reason, and takes each for done when the broker has confirmed it from a
 * queue. Has a connection of its own, since a broker that blocks its publishers reads nothing from their connections, and
 * so no acknowledgements either.
 */
final class DeadLetterExchange implements DeadLetterRoute {
    private static final Logger LOG = LoggerFactory.getLogger(RabbitConsumer.class);
    private static final String CONNECTION_NAME = "typed-outbox dead letters";
    private static final long CONFIRM_MILLIS = 10_000;

    private final ConnectionFactory settings;
    private final String exchange;
    private final String queue;
    private volatile @Nullable RabbitConnection connection;
    private volatile boolean closed;

    /**
     * @param queue where the messages come from
     */
    DeadLetterExchange(ConnectionFactory settings, String exchange, String queue) {
        this.settings = settings;
        this.exchange = exchange;
        this.queue = queue;
    }

    @Override
    public void take(Received message, Deliveries deliveries) throws IOException, InterruptedException {
        publish(message.delivery(), WireFormat.reasons(queue, message.reason(), message.failures()));
        deliveries.done(message.tag());
    }

    private synchronized void publish(Delivery message, Map<String, Object> reasons)
            throws IOException, InterruptedException {
        RabbitConnection open = open();
        if (open.isBlocked()) {
            throw new IOException("the broker blocks its publishers");
        }
        // A write that the broker does not read, and the wait for its confirm, end only with the connection.
        Runnable cut = open::cut;
        open.onBlocked(cut);
        try {
            publishOn(
                    open.createChannel(),
                    message.getEnvelope().getRoutingKey(),
                    properties(message, reasons, open.frameMax()),
                    message.getBody());
        } catch (TimeoutException e) {
            open.cut();
            throw new IOException("the broker did not confirm in " + CONFIRM_MILLIS + " ms", e);
        } finally {
            open.offBlocked(cut);
        }
    }

    /** Without the reasons where they do not fit beside the headers that are there. */
    private static BasicProperties properties(Delivery message, Map<String, Object> reasons, int frameMax) {
        BasicProperties all = WireFormat.deadLetter(message.getProperties(), reasons);
        return MessageRules.fitsFrame(all, frameMax) ? all : WireFormat.deadLetter(message.getProperties(), Map.of());
    }

    private void publishOn(Channel channel, String routingKey, BasicProperties properties, byte[] body)
            throws IOException, InterruptedException, TimeoutException {
        AtomicReference<@Nullable String> returned = new AtomicReference<>();
        try {
            channel.addReturnListener(message -> returned.set(message.getReplyCode() + " " + message.getReplyText()));
            channel.confirmSelect();
            channel.basicPublish(exchange, routingKey, true, properties, body);
            if (!channel.waitForConfirms(CONFIRM_MILLIS)) {
                throw new IOException("the broker nacked the message");
            }
            channel.abort();
        } catch (IOException | RuntimeException e) {
            channel.abort();
            throw e;
        }
        String unroutable = returned.get();
        if (unroutable != null) {
            throw new IOException("unroutable: " + unroutable);
        }
    }

    private RabbitConnection open() throws IOException {
        closeIfClosedMeanwhile();
        RabbitConnection open = connection;
        if (open == null || !open.isOpen()) {
            open = connect();
            connection = open;
        }
        closeIfClosedMeanwhile();
        return open;
    }

    private RabbitConnection connect() throws IOException {
        try {
            return RabbitConnection.open(settings, CONNECTION_NAME);
        } catch (IOException | TimeoutException | RuntimeException e) {
            throw new IOException(ClientSettings.unreachable(settings, e), e);
        }
    }

    /** {@link #close} does not wait for whoever is opening, so who has opened closes. */
    private void closeIfClosedMeanwhile() throws IOException {
        if (closed) {
            close();
            throw new IOException("the consumer was closed");
        }
    }

    /**
     * Warns when the exchange is not there, which would show only with the first dead letter else. On a channel of the
     * consumers' connection: this has none of its own yet.
     */
    @Override
    public void check(Connection consumers) {
        try {
            Channel channel = consumers.createChannel();
            if (channel != null) {
                channel.exchangeDeclarePassive(exchange);
                channel.abort();
            }
        } catch (IOException | RuntimeException e) {
            LOG.atWarn()
                    .addKeyValue("queue", queue)
                    .addKeyValue("exchange", exchange)
                    .addKeyValue("reason", Reasons.of(e))
                    .log("dead-letter exchange cannot be used: what would go there stays in the queue");
        }
    }

    /** Does not wait for a message under way, whose delivery then stays unacknowledged. */
    @Override
    public void close() {
        closed = true;
        RabbitConnection open = connection;
        if (open != null) {
            open.cut();
        }
    }
}
