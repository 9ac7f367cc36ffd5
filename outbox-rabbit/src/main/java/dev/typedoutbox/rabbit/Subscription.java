package dev.typedoutbox.rabbit;

import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives on one channel after the other until it is stopped. A delivery is acknowledged on the channel that it came from
 * or not at all, so no stale acknowledgement reaches a new channel.
 */
final class Subscription implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(RabbitConsumer.class);
    private static final long SHORTEST_PAUSE_MILLIS = 500;
    private static final long LONGEST_PAUSE_MILLIS = 1_500;

    private final ConsumerConnection connection;
    private final ConsumerSettings settings;
    private final CountDownLatch stop;
    private final ConsumerLog log;

    Subscription(ConsumerConnection connection, ConsumerSettings settings, CountDownLatch stop) {
        this.connection = connection;
        this.settings = settings;
        this.stop = stop;
        this.log = new ConsumerLog(settings.queue());
    }

    @Override
    public void run() {
        long pause = 0;
        while (!stopped(pause)) {
            receive();
            pause = ThreadLocalRandom.current().nextLong(SHORTEST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS);
        }
    }

    /** Only {@link RabbitConsumer#close} ends the thread; it counts the latch down before it interrupts. */
    private boolean stopped(long pauseMillis) {
        try {
            return stop.await(pauseMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return stop.getCount() == 0;
        }
    }

    private void receive() {
        try {
            Channel channel = connection.createChannel();
            try {
                receiveOn(channel);
            } finally {
                channel.abort();
            }
        } catch (InterruptedException e) {
            LOG.debug("consumer was interrupted");
        } catch (Throwable e) {
            if (stop.getCount() > 0) {
                log.lost(connection.address(), e);
            }
        }
    }

    private void receiveOn(Channel channel) throws IOException, InterruptedException {
        Reception reception = new Reception(channel, settings, stop, log);
        reception.begin();
        log.receives();
        reception.receive();
        if (stop.getCount() > 0) {
            log.lost(connection.address(), channel.getCloseReason());
        }
    }
}
