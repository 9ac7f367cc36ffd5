package dev.typedoutbox.benchmark.own;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Does nothing with a message but acknowledge it, together with others. */
final class AcknowledgingConsumer extends DefaultConsumer {
    private static final int AT_ONCE = 100;
    private static final long LONGEST_CANCEL_SECONDS = 60;

    private final CountDownLatch cancelled = new CountDownLatch(1);
    private long unacknowledged;
    private long lastTag;
    private volatile long count;

    AcknowledgingConsumer(Channel channel) {
        super(channel);
    }

    @Override
    public void handleDelivery(String tag, Envelope envelope, BasicProperties properties, byte[] body)
            throws IOException {
        lastTag = envelope.getDeliveryTag();
        if (++unacknowledged == AT_ONCE) {
            acknowledge();
        }
        // Only this thread writes it.
        long next = count + 1;
        count = next;
    }

    /** Comes after all deliveries, and on their thread. */
    @Override
    public void handleCancelOk(String tag) {
        cancelled.countDown();
    }

    long count() {
        return count;
    }

    /** Stops consuming and acknowledges the rest. */
    void end() throws Exception {
        getChannel().basicCancel(getConsumerTag());
        if (!cancelled.await(LONGEST_CANCEL_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the consumer could not be cancelled");
        }
        if (unacknowledged > 0) {
            acknowledge();
        }
        getChannel().close();
    }

    private void acknowledge() throws IOException {
        getChannel().basicAck(lastTag, true);
        unacknowledged = 0;
    }
}
