package dev.typedoutbox.rabbit.support;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Enters in a ledger what arrives in a queue, and connects again whenever it has to. It knows nothing of the product. It is
 * the only receiver of its queue: what an earlier connection did not acknowledge is back in its place before a new one gets
 * anything.
 */
public final class Receiver implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Receiver.class);
    private static final int PREFETCH = 100;
    private static final int TIMEOUT_MILLIS = 2_000;
    private static final long PAUSE_MILLIS = 50;

    private final ConnectionFactory factory;
    private final String queue;
    private final Ledger ledger;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "receiver");

    public Receiver(ConnectionFactory factory, String queue, Ledger ledger) {
        this.factory = factory.clone();
        this.factory.setAutomaticRecoveryEnabled(false);
        this.factory.setHandshakeTimeout(TIMEOUT_MILLIS);
        this.factory.setChannelRpcTimeout(TIMEOUT_MILLIS);
        this.queue = queue;
        this.ledger = ledger;
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            do {
                connectAndReceive();
            } while (!stop.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            LOG.debug("receiver was interrupted");
        }
    }

    private void connectAndReceive() throws InterruptedException {
        Connection connection;
        try {
            connection = factory.newConnection("receiver");
        } catch (IOException | TimeoutException e) {
            LOG.debug("no connection yet", e);
            return;
        }
        try {
            receive(connection.createChannel());
        } catch (IOException | RuntimeException e) {
            LOG.debug("connection ended", e);
        } finally {
            connection.abort(TIMEOUT_MILLIS);
        }
    }

    private void receive(Channel channel) throws IOException, InterruptedException {
        BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();
        channel.basicQos(PREFETCH);
        channel.basicConsume(
                queue,
                false,
                "",
                false,
                true,
                null,
                (tag, delivery) -> deliveries.add(delivery),
                tag -> channel.abort(),
                (tag, cause) -> LOG.debug("the channel ended", cause));
        while (stop.getCount() > 0 && (channel.isOpen() || !deliveries.isEmpty())) {
            Delivery delivery = deliveries.poll(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            if (delivery != null) {
                ledger.add(delivery);
                acknowledge(channel, delivery);
            }
        }
    }

    private static void acknowledge(Channel channel, Delivery delivery) {
        try {
            channel.basicAck(delivery.getEnvelope().getDeliveryTag(), false);
        } catch (IOException | AlreadyClosedException e) {
            LOG.debug("message comes again, and is known then", e);
        }
    }

    /** Returns when nothing more is entered. */
    @Override
    public void close() {
        stop.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
