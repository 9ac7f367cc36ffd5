package dev.typedoutbox.rabbit;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.EventConsumer;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Receives on one channel after the other until it is stopped. A delivery is acknowledged on the channel that it came from
 * or not at all, so no stale acknowledgement reaches a new channel.
 */
final class Subscription implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(RabbitConsumer.class);
    private static final String CONNECTION_NAME = "typed-outbox consumer";
    private static final long SHORTEST_PAUSE_MILLIS = 500;
    private static final long LONGEST_PAUSE_MILLIS = 1_500;
    private static final int CLOSE_TIMEOUT_MILLIS = 2_000;
    private static final long CHECK_MILLIS = 100;

    private final ConnectionFactory factory;
    private final String queue;
    private final int prefetch;
    private final Duration retryDelay;
    private final EventConsumer consumer;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final QuietedWarnings warnings = new QuietedWarnings();

    Subscription(ConnectionFactory settings, String queue, int prefetch, Duration retryDelay, EventConsumer consumer) {
        this.factory = RabbitConnection.bounded(settings);
        this.queue = queue;
        this.prefetch = prefetch;
        this.retryDelay = retryDelay;
        this.consumer = consumer;
    }

    boolean isStopped() {
        return stop.getCount() == 0;
    }

    void stop() {
        stop.countDown();
    }

    @Override
    public void run() {
        Duration pause = Duration.ZERO;
        while (!stopped(pause)) {
            pause = connectAndReceive();
        }
    }

    /** Only {@link RabbitConsumer#close} ends the thread; it counts the latch down before it interrupts. */
    private boolean stopped(Duration pause) {
        try {
            return stop.await(pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return stop.getCount() == 0;
        }
    }

    private Duration connectAndReceive() {
        try {
            Connection connection = factory.newConnection(CONNECTION_NAME);
            try {
                receive(connection);
            } finally {
                connection.abort(CLOSE_TIMEOUT_MILLIS);
            }
        } catch (InterruptedException e) {
            LOG.debug("consumer was interrupted");
        } catch (IOException | TimeoutException | RuntimeException | Error e) {
            lost(Reasons.of(e));
        }
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(SHORTEST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS));
    }

    private void receive(Connection connection) throws IOException, InterruptedException {
        BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();
        Channel channel = connection.createChannel();
        if (channel == null) {
            throw new NoChannelLeftException();
        }
        channel.basicQos(prefetch);
        channel.basicConsume(queue, false, (tag, delivery) -> deliveries.add(delivery), tag -> cancelled(channel));
        found();
        while (stop.getCount() > 0 && channel.isOpen()) {
            Delivery delivery = deliveries.poll(CHECK_MILLIS, TimeUnit.MILLISECONDS);
            if (delivery != null) {
                handle(channel, delivery);
            }
        }
        if (stop.getCount() > 0) {
            lost(Reasons.of(channel.getCloseReason()));
        }
    }

    private void handle(Channel channel, Delivery delivery) throws IOException, InterruptedException {
        long tag = delivery.getEnvelope().getDeliveryTag();
        OutboxEvent event;
        try {
            event = WireFormat.event(delivery);
        } catch (UnreadableMessageException e) {
            LOG.atError()
                    .addKeyValue("queue", queue)
                    .addKeyValue("reason", e.getMessage())
                    .log("message is rejected, it can never be an event");
            channel.basicReject(tag, false);
            return;
        }
        if (applyInTheEnd(channel, event)) {
            channel.basicAck(tag, false);
        }
    }

    /**
     * Tries until it succeeds, here and not by giving the message back, which would let later ones overtake it. False when
     * there is nothing to acknowledge on any more: then the broker delivers it again.
     */
    private boolean applyInTheEnd(Channel channel, OutboxEvent event) throws InterruptedException {
        for (int attempt = 1; !apply(event, attempt); attempt++) {
            if (stop.await(retryDelay.toMillis(), TimeUnit.MILLISECONDS) || !channel.isOpen()) {
                return false;
            }
        }
        return true;
    }

    private boolean apply(OutboxEvent event, int attempt) {
        try {
            consumer.apply(event);
            return true;
        } catch (RuntimeException | Error e) {
            LOG.atLevel(attempt == 1 ? Level.WARN : warnings.next())
                    .setCause(e)
                    .addKeyValue("event_id", event.id())
                    .addKeyValue("event_type", event.eventType())
                    .addKeyValue("aggregate_id", event.aggregateId())
                    .addKeyValue("attempt", attempt)
                    .addKeyValue("queue", queue)
                    .log("event could not be applied and will be tried again");
            return false;
        }
    }

    private void cancelled(Channel channel) throws IOException {
        LOG.atWarn().addKeyValue("queue", queue).log("RabbitMQ cancelled the consumer, as when its queue is deleted");
        channel.abort();
    }

    private void found() {
        warnings.reset();
        LOG.atInfo().addKeyValue("queue", queue).log("consumer receives");
    }

    private void lost(String reason) {
        LOG.atLevel(warnings.next())
                .addKeyValue("queue", queue)
                .addKeyValue("broker", RabbitConnection.address(factory))
                .addKeyValue("reason", reason)
                .log("consumer cannot receive and tries again until it can");
    }
}
