package dev.typedoutbox.benchmark.harness;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DeliverCallback;
import dev.typedoutbox.servers.AmqpServer;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The broker of the run: that of the options, or one of its own. One exchange, and one queue that gets everything. */
final class Broker implements AutoCloseable {
    private static final int PREFETCH = 1_000;
    private static final Duration LONGEST_READ = Duration.ofMinutes(10);

    private final URI uri;
    private final @Nullable AmqpServer own;
    private final Connection connection;
    private final Channel channel;
    private final String name = "benchmark-" + ProcessHandle.current().pid();

    private Broker(URI uri, @Nullable AmqpServer own) throws Exception {
        this.uri = uri;
        this.own = own;
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(uri);
        connection = factory.newConnection("benchmark");
        channel = connection.createChannel();
        channel.exchangeDeclare(name, BuiltinExchangeType.FANOUT, true);
        channel.basicQos(PREFETCH);
    }

    static Broker named(URI uri) throws Exception {
        return new Broker(uri, null);
    }

    static Broker startOwn() throws Exception {
        AmqpServer server = AmqpServer.start();
        if (!server.isRabbitMq()) {
            throw new IllegalStateException("the benchmark needs RabbitMQ: " + AmqpServer.HOW_TO_GET_RABBITMQ
                    + ", or name one with --amqp-uri");
        }
        return new Broker(server.uri(), server);
    }

    Optional<ProcessHandle> process() {
        return own == null ? Optional.empty() : own.process();
    }

    URI uri() {
        return uri;
    }

    String exchange() {
        return name;
    }

    String queue() {
        return name;
    }

    String description() {
        Map<String, Object> server = connection.getServerProperties();
        return server.get("product") + " " + server.get("version");
    }

    /** Replaces the queue by an empty one. */
    void renewQueue(QueueKind kind) throws Exception {
        channel.queueDelete(name);
        channel.queueDeclare(name, true, false, false, Map.of("x-queue-type", kind.toString()));
        channel.queueBind(name, name, "");
    }

    /** Publishes all messages of a feed to the queue, and returns when the broker has confirmed them. */
    void publish(Feed feed) throws Exception {
        try (Channel publishing = connection.createChannel()) {
            new FeedPublisher(publishing, name).publish(feed);
        }
    }

    /** How many messages the queue holds; it answers at once, and nobody consumes. */
    long count() throws Exception {
        return channel.messageCount(name);
    }

    /** Takes all messages from the queue, to which nobody publishes any longer. */
    void readBack(Ledger ledger) throws Exception {
        long count = count();
        if (count == 0) {
            return;
        }
        CountDownLatch rest = new CountDownLatch((int) count);
        String consumer = consume((tag, message) -> {
            ledger.add(message.getBody(), message.getProperties().getMessageId());
            rest.countDown();
            if (rest.getCount() % (PREFETCH / 4) == 0) {
                channel.basicAck(message.getEnvelope().getDeliveryTag(), true);
            }
        });
        boolean all = rest.await(LONGEST_READ.toSeconds(), TimeUnit.SECONDS);
        channel.basicCancel(consumer);
        if (!all) {
            throw new IllegalStateException(rest.getCount() + " messages could not be read back");
        }
    }

    /** A consumer on this channel that has to acknowledge; the callback runs on one thread. */
    private String consume(DeliverCallback callback) throws Exception {
        return channel.basicConsume(name, false, callback, tag -> {});
    }

    /** Takes what comes from now on, without acknowledgements. */
    Arrivals arrivals() throws Exception {
        Channel consuming = connection.createChannel();
        Arrivals arrivals = new Arrivals(consuming);
        consuming.basicConsume(name, true, arrivals);
        return arrivals;
    }

    /** A consumer without acknowledgements on a channel of its own; the callback runs on one thread. */
    Channel consumeAtOnce(DeliverCallback callback) throws Exception {
        Channel consuming = connection.createChannel();
        consuming.basicConsume(name, true, callback, tag -> {});
        return consuming;
    }

    @Override
    public void close() throws Exception {
        channel.queueDelete(name);
        channel.exchangeDelete(name);
        connection.close();
        if (own != null) {
            own.close();
        }
    }
}
