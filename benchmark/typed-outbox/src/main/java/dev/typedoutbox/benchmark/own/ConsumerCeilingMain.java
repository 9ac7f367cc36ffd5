package dev.typedoutbox.benchmark.own;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.typedoutbox.benchmark.contender.ConsumingContender;
import dev.typedoutbox.benchmark.contender.ContenderMain;
import dev.typedoutbox.benchmark.contender.Settings;
import org.jspecify.annotations.Nullable;

/**
 * The broker's ceiling of consuming: the same messages without any database, on one channel, with the prefetch of Typed
 * Outbox's consumer and as many acknowledged at once as it takes in a batch.
 */
public final class ConsumerCeilingMain implements ConsumingContender {
    private static final int PREFETCH = 250;

    private final Connection connection;
    private final String queue;
    private @Nullable AcknowledgingConsumer consumer;

    private ConsumerCeilingMain(Settings settings) throws Exception {
        ConnectionFactory rabbit = new ConnectionFactory();
        rabbit.setUri(settings.amqpUri());
        connection = rabbit.newConnection("consumer-ceiling");
        queue = settings.queue();
    }

    /**
     * Takes part in the benchmark.
     *
     * @param args none
     */
    public static void main(String[] args) {
        ContenderMain.run(ConsumerCeilingMain::new);
    }

    @Override
    public void prepare() {}

    @Override
    public void empty() {}

    @Override
    public void start() throws Exception {
        Channel channel = connection.createChannel();
        channel.basicQos(PREFETCH);
        AcknowledgingConsumer started = new AcknowledgingConsumer(channel);
        channel.basicConsume(queue, false, started);
        consumer = started;
    }

    @Override
    public void stop() throws Exception {
        AcknowledgingConsumer started = consumer;
        if (started != null) {
            started.end();
        }
        consumer = null;
    }

    @Override
    public long consumed() {
        AcknowledgingConsumer started = consumer;
        return started == null ? 0 : started.count();
    }

    @Override
    public void close() throws Exception {
        stop();
        connection.close();
    }
}
