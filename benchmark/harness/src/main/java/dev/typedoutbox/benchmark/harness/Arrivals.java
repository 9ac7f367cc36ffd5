package dev.typedoutbox.benchmark.harness;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import dev.typedoutbox.benchmark.contender.Payload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Consumes the queue and only notes what came, since every contender has to share the machine with it; the ledger checks it
 * afterwards.
 */
final class Arrivals extends DefaultConsumer implements AutoCloseable {
    private static final long LONGEST_CANCEL_SECONDS = 60;

    private final List<@Nullable String> ids = new ArrayList<>();
    private final CountDownLatch cancelled = new CountDownLatch(1);
    private long[] numbers = new long[1 << 17];
    private volatile int count;

    Arrivals(Channel channel) {
        super(channel);
    }

    @Override
    public void handleDelivery(String tag, Envelope envelope, BasicProperties properties, byte[] body) {
        int next = count;
        if (next == numbers.length) {
            numbers = Arrays.copyOf(numbers, 2 * next);
        }
        numbers[next] = Payload.number(body);
        ids.add(properties.getMessageId());
        count = next + 1;
    }

    /** Comes after all deliveries. */
    @Override
    public void handleCancelOk(String tag) {
        cancelled.countDown();
    }

    /** How many messages came so far. */
    long count() {
        return count;
    }

    /** Stops consuming. */
    @Override
    public void close() throws Exception {
        if (getChannel().isOpen()) {
            getChannel().basicCancel(getConsumerTag());
            boolean all = cancelled.await(LONGEST_CANCEL_SECONDS, TimeUnit.SECONDS);
            getChannel().close();
            if (!all) {
                throw new IllegalStateException("the consumer could not be cancelled");
            }
        }
    }

    /** Stops consuming; what came goes into the ledger. */
    void endInto(Ledger ledger) throws Exception {
        close();
        for (int i = 0; i < count; i++) {
            ledger.add(numbers[i], ids.get(i));
        }
    }
}
