package dev.typedoutbox.rabbit.support;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.rabbit.RabbitPublisher;
import dev.typedoutbox.rabbit.Routing;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.PublisherSession;
import dev.typedoutbox.servers.AmqpServer;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A way to a broker on which each test uses names of its own. */
public final class Broker {
    private final AmqpServer server;

    public Broker(AmqpServer server) {
        this.server = server;
    }

    public static Broker shared() {
        return new Broker(AmqpServer.shared());
    }

    public AmqpServer server() {
        return server;
    }

    public ConnectionFactory factory() {
        return factory(server.uri().toString());
    }

    /** For connections over TLS, by way of another port of this machine. */
    public ConnectionFactory tlsFactory(int port) {
        ConnectionFactory factory = factory(at(server.tlsUri(), port));
        factory.useSslProtocol(server.tlsContext());
        return factory;
    }

    /** The same server, reached at another port of this machine. */
    public static String at(URI server, int port) {
        return server.toString().replace("@" + server.getHost() + ":" + server.getPort(), "@127.0.0.1:" + port);
    }

    public static ConnectionFactory factory(String uri) {
        ConnectionFactory factory = new ConnectionFactory();
        try {
            factory.setUri(uri);
        } catch (Exception e) {
            throw new IllegalArgumentException(uri, e);
        }
        return factory;
    }

    public String exchange() {
        String name = "exchange-" + UUID.randomUUID();
        run(channel -> channel.exchangeDeclare(name, BuiltinExchangeType.TOPIC, true));
        return name;
    }

    public String queue(String exchange, String bindingKey) {
        return queue(exchange, bindingKey, null);
    }

    public String queue(String exchange, String bindingKey, @Nullable Map<String, Object> arguments) {
        String name = "queue-" + UUID.randomUUID();
        run(channel -> {
            channel.queueDeclare(name, true, false, false, arguments);
            return channel.queueBind(name, exchange, bindingKey);
        });
        return name;
    }

    /** Publishes events as the product does, and returns when they are confirmed. */
    public void publish(String exchange, List<OutboxEvent> events) {
        try (RabbitPublisher publisher = RabbitPublisher.create(factory(), Routing.toExchange(exchange));
                PublisherSession session = publisher.open()) {
            List<PublishOutcome> outcomes = session.publish(events, Duration.ofSeconds(10));
            if (!outcomes.stream().allMatch(PublishOutcome.confirmed()::equals)) {
                throw new IllegalStateException("events must all be confirmed (was " + outcomes + ")");
            }
        }
    }

    /** A queue that keeps what it has: a quorum queue where that is to be had, with an exchange for what it gives up. */
    public String safeQueue(String exchange, String bindingKey, String deadLetterExchange) {
        Map<String, Object> arguments = new HashMap<>(Map.of("x-dead-letter-exchange", deadLetterExchange));
        if (server.isRabbitMq()) {
            arguments.put("x-queue-type", "quorum");
        }
        return queue(exchange, bindingKey, arguments);
    }

    /** Takes what is ready in the queue now. */
    public List<GetResponse> take(String queue) {
        return run(channel -> {
            List<GetResponse> messages = new ArrayList<>();
            for (GetResponse message = channel.basicGet(queue, true);
                    message != null;
                    message = channel.basicGet(queue, true)) {
                messages.add(message);
            }
            return messages;
        });
    }

    public List<String> takeIds(String queue) {
        return take(queue).stream()
                .map(message -> message.getProps().getMessageId())
                .toList();
    }

    /** How many messages wait in the queue, without those that are delivered and not yet acknowledged. */
    public long ready(String queue) {
        return run(channel -> channel.messageCount(queue));
    }

    /** Lets a queue stand still: what is sent to it is neither kept nor confirmed before {@link #resume}. */
    public void suspend(String queue) {
        server.evaluate(process(queue) + "sys:suspend(P).");
    }

    public void resume(String queue) {
        server.evaluate(process(queue) + "sys:resume(P).");
    }

    private static String process(String queue) {
        return "{ok, Q} = rabbit_amqqueue:lookup(rabbit_misc:r(<<\"/\">>, queue, <<\"" + queue + "\">>)),"
                + " P = amqqueue:get_pid(Q), ";
    }

    public <T> T run(Work<T> work) {
        try (Connection connection = factory().newConnection();
                Channel channel = connection.createChannel()) {
            return work.on(channel);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** What is done on a channel. */
    public interface Work<T> {
        T on(Channel channel) throws Exception;
    }
}
