package dev.typedoutbox.admin;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import dev.typedoutbox.servers.AmqpServer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An exchange and a queue of a test's own; the queue takes the events of orders and, once it is told to, of invoices. */
final class Destination {
    private final String exchange = "exchange-" + UUID.randomUUID();
    private final String queue = "queue-" + UUID.randomUUID();

    Destination() {
        run(channel -> {
            channel.exchangeDeclare(exchange, BuiltinExchangeType.TOPIC, true);
            channel.queueDeclare(queue, true, false, false, null);
            return channel.queueBind(queue, exchange, "order.#");
        });
    }

    String exchange() {
        return exchange;
    }

    void takeInvoices() {
        run(channel -> channel.queueBind(queue, exchange, "invoice.#"));
    }

    /** The id of the next message, which is taken; null where there is none. */
    @Nullable
    String take() {
        GetResponse message = run(channel -> channel.basicGet(queue, true));
        return message == null ? null : message.getProps().getMessageId();
    }

    static ConnectionFactory broker() {
        ConnectionFactory factory = new ConnectionFactory();
        try {
            factory.setUri(AmqpServer.shared().uri());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return factory;
    }

    private static <T extends @Nullable Object> T run(Work<T> work) {
        try (Connection connection = broker().newConnection();
                Channel channel = connection.createChannel()) {
            return work.on(channel);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** What is done on a channel. */
    private interface Work<T extends @Nullable Object> {
        T on(Channel channel) throws Exception;
    }
}
