package dev.typedoutbox.rabbit;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * One thing to declare.
 *
 * @param name what it is, such as {@code queue "shipping"}
 * @param wanted how it must be
 * @param rights what the user who declares it must be allowed to do
 * @param step declares it
 */
record TopologyPart(String name, String wanted, String rights, Step step) {
    static final String DEAD_LETTER_EXCHANGE = "x-dead-letter-exchange";

    static TopologyPart exchange(String exchange, BuiltinExchangeType type) {
        return new TopologyPart(
                "exchange " + quoted(exchange),
                "durable and of type " + type.getType(),
                "configure " + quoted(exchange),
                channel -> channel.exchangeDeclare(exchange, type, true));
    }

    static TopologyPart queue(String queue, Map<String, Object> arguments) {
        Object dead = arguments.get(DEAD_LETTER_EXCHANGE);
        return new TopologyPart(
                "queue " + quoted(queue),
                "durable with " + new TreeMap<>(arguments),
                "configure " + quoted(queue)
                        + (dead == null ? "" : ", read " + quoted(queue) + " and write " + quoted(dead)),
                channel -> channel.queueDeclare(queue, true, false, false, arguments));
    }

    static TopologyPart binding(String queue, String exchange, String key) {
        return new TopologyPart(
                "queue " + quoted(queue),
                "bound to exchange " + quoted(exchange) + " with key " + quoted(key),
                "write " + quoted(queue) + " and read " + quoted(exchange),
                channel -> channel.queueBind(queue, exchange, key));
    }

    private static String quoted(Object name) {
        return "\"" + name + "\"";
    }

    /** Asks the broker, and waits for its answer. */
    interface Step {
        void on(Channel channel) throws IOException;
    }
}
