package dev.typedoutbox.rabbit;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.ConnectionFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a consumer needs in RabbitMQ: a queue, the topic exchanges that feed it, and a place for its dead letters.
 *
 * <p>The queue is a quorum queue, so that a message which the relay saw confirmed outlives the loss of a node. What a consumer
 * rejects, or what comes back more often than the {@linkplain Builder#deliveryLimit delivery limit} allows, goes to the
 * dead-letter exchange, a fanout, and from there to the dead-letter queue, a quorum queue too. It leaves the queue only when
 * the dead-letter queue has confirmed it: {@code x-dead-letter-strategy=at-least-once}, which works only together with
 * {@code x-overflow=reject-publish}, even where no length is limited; without it RabbitMQ falls back to
 * {@code at-most-once} in silence. A dead letter may arrive twice. Needs RabbitMQ 3.10 or newer; see {@link Builder#classic}
 * for others.
 *
 * <p>The dead-letter queue has no dead-letter exchange itself, so its delivery limit is the highest there is: else RabbitMQ 4
 * would drop what an operator looked at and gave back more than 20 times. No length is limited here. RabbitMQ recommends a
 * limit, best set by a policy; at the limit it refuses new messages, and the relay tries them again.
 *
 * <p>Sources, in RabbitMQ's documentation:
 * <a href="https://www.rabbitmq.com/docs/quorum-queues#dead-lettering">at-least-once dead lettering</a>,
 * <a href="https://www.rabbitmq.com/docs/quorum-queues#poison-message-handling">delivery limit</a>,
 * <a href="https://www.rabbitmq.com/docs/dlx">dead-letter exchanges</a>,
 * <a href="https://www.rabbitmq.com/docs/consumers#single-active-consumer">single active consumer</a>,
 * <a href="https://www.rabbitmq.com/docs/access-control#authorisation">rights</a>.
 *
 * <p>Immutable, and safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class QueueTopology {
    /** How often a message may come back by default, as in RabbitMQ 4: {@value}. */
    public static final int DEFAULT_DELIVERY_LIMIT = 20;

    private static final String DEAD_SUFFIX = ".dead";
    private static final String QUEUE_TYPE = "x-queue-type";
    private static final String DELIVERY_LIMIT = "x-delivery-limit";

    private final String queue;
    private final String dead;
    private final Set<Binding> bindings;
    private final boolean quorum;
    private final int deliveryLimit;
    private final boolean singleActiveConsumer;

    private QueueTopology(Builder builder, String dead) {
        this.queue = builder.queue;
        this.dead = dead;
        this.bindings = new LinkedHashSet<>(builder.bindings);
        this.quorum = builder.quorum;
        this.deliveryLimit = builder.deliveryLimit == null ? DEFAULT_DELIVERY_LIMIT : builder.deliveryLimit;
        this.singleActiveConsumer = builder.singleActiveConsumer;
    }

    /**
     * Begins a topology.
     *
     * @param queue the name of the queue that the consumer receives from
     * @return a builder
     * @throws IllegalArgumentException if the name is empty or longer than 255 bytes in UTF-8, begins with {@code amq.}, or
     *     has a line break
     */
    public static Builder builder(String queue) {
        return new Builder(queue);
    }

    /**
     * Declares all that is missing, and returns when it is there. What exists as wanted stays as it is, with its messages and
     * its other bindings, so every start of a service may declare, also several at once. Bindings of before that are no longer
     * wanted stay too; remove them by hand.
     *
     * <p>The order is: dead-letter exchange, dead-letter queue, its binding, queue, exchanges, bindings. RabbitMQ does not ask
     * whether a queue's dead-letter exchange exists, and a classic queue drops what finds none, so that one is there before
     * any message can be. After an exception, what comes before the part that it names has been declared.
     *
     * <p>Opens a connection and closes it. Heartbeats, connecting and each of the broker's answers are bounded to 10 s, unless
     * they are shorter already.
     *
     * @param settings where the broker is, and how to log in
     * @throws TopologyRefusedException if a part exists otherwise, the user may not declare it, or the broker cannot hold it
     * @throws BrokerUnavailableException if the broker cannot be reached, refuses the login, or goes away meanwhile
     */
    public void declare(ConnectionFactory settings) {
        new TopologyDeclaration(Objects.requireNonNull(settings, "settings")).run(this);
    }

    /**
     * The queue's name.
     *
     * @return the name, for {@link RabbitConsumer#builder}
     */
    public String queue() {
        return queue;
    }

    /**
     * The name of the exchange that takes what the queue gives up.
     *
     * @return the same as {@link #deadLetterQueue()}
     */
    public String deadLetterExchange() {
        return dead;
    }

    /**
     * The name of the queue that keeps what the queue gives up.
     *
     * @return the queue's name with {@code .dead} at its end, unless {@link Builder#deadLettersTo} said otherwise
     */
    public String deadLetterQueue() {
        return dead;
    }

    boolean isQuorum() {
        return quorum;
    }

    /** All parts in the order in which they are declared. */
    List<TopologyPart> parts() {
        List<TopologyPart> parts = new ArrayList<>();
        parts.add(TopologyPart.exchange(dead, BuiltinExchangeType.FANOUT));
        parts.add(TopologyPart.queue(dead, deadLetterArguments()));
        parts.add(TopologyPart.binding(dead, dead, ""));
        parts.add(TopologyPart.queue(queue, arguments()));
        bindings.stream()
                .map(Binding::exchange)
                .distinct()
                .map(exchange -> TopologyPart.exchange(exchange, BuiltinExchangeType.TOPIC))
                .forEach(parts::add);
        bindings.forEach(binding -> parts.add(TopologyPart.binding(queue, binding.exchange(), binding.key())));
        return parts;
    }

    private Map<String, Object> deadLetterArguments() {
        // RabbitMQ 4 takes -1 for no limit, but to RabbitMQ 3 that is a limit which the first return exceeds.
        return quorum
                ? Map.of(QUEUE_TYPE, "quorum", DELIVERY_LIMIT, Integer.MAX_VALUE)
                // Without it, a virtual host's default queue type would decide.
                : Map.of(QUEUE_TYPE, "classic");
    }

    private Map<String, Object> arguments() {
        Map<String, Object> arguments = new HashMap<>();
        arguments.put(QUEUE_TYPE, quorum ? "quorum" : "classic");
        arguments.put(TopologyPart.DEAD_LETTER_EXCHANGE, dead);
        if (quorum) {
            arguments.put("x-dead-letter-strategy", "at-least-once");
            arguments.put("x-overflow", "reject-publish");
            arguments.put(DELIVERY_LIMIT, deliveryLimit);
        }
        if (singleActiveConsumer) {
            arguments.put("x-single-active-consumer", true);
        }
        return arguments;
    }

    private record Binding(String exchange, String key) {}

    /** Collects the settings of a {@link QueueTopology}. Not safe for use by several threads. */
    public static final class Builder {
        private final String queue;
        private final Set<Binding> bindings = new LinkedHashSet<>();
        private @Nullable String deadLetters;
        private boolean quorum = true;
        private @Nullable Integer deliveryLimit;
        private boolean singleActiveConsumer;

        private Builder(String queue) {
            this.queue = NameRules.requireName("queue", queue);
        }

        /**
         * Feeds the queue from an exchange, which is declared as a durable topic exchange. May be called several times, with
         * one exchange or several. Default: none; then the queue gets only what is sent to it by its name.
         *
         * @param exchange the exchange's name, as in {@link Routing#toExchange}
         * @param bindingKey the event types to take, such as {@code order.*}: {@code *} stands for one word between dots,
         *     {@code #} for any number of words
         * @return this builder
         * @throws IllegalArgumentException if one of the two is empty, longer than 255 bytes in UTF-8 or has a line break, or
         *     the exchange's name begins with {@code amq.}
         */
        public Builder boundTo(String exchange, String bindingKey) {
            bindings.add(new Binding(
                    NameRules.requireName("exchange", exchange), NameRules.requireText("bindingKey", bindingKey)));
            return this;
        }

        /**
         * Lets RabbitMQ deliver to one consumer at a time, and to the next when that one is gone. Of several instances of a
         * service one works then, and the order of an aggregate's events is kept. Default: all consumers share the messages.
         *
         * @return this builder
         */
        public Builder singleActiveConsumer() {
            this.singleActiveConsumer = true;
            return this;
        }

        /**
         * Sets how often a message may come back to the queue; one more, and it is a dead letter. A policy of the broker may
         * lower it. Default: {@value QueueTopology#DEFAULT_DELIVERY_LIMIT}.
         *
         * <p>{@link RabbitConsumer} gives nothing back of its own accord, so what counts with it are connections that end,
         * which return all that was sent ahead. Other consumers give back what they reject; since RabbitMQ 4.3, what they
         * {@code nack} does not count.
         *
         * @param times 1 or more
         * @return this builder
         * @throws IllegalArgumentException if less than 1
         */
        public Builder deliveryLimit(int times) {
            if (times < 1) {
                throw new IllegalArgumentException("deliveryLimit must be at least 1 (was " + times + ")");
            }
            this.deliveryLimit = times;
            return this;
        }

        /**
         * Sets the name of both the dead-letter exchange and the dead-letter queue. Several queues may share them. Default: the
         * queue's name with {@code .dead} at its end.
         *
         * @param name the name
         * @return this builder
         * @throws IllegalArgumentException if the name is empty or longer than 255 bytes in UTF-8, begins with {@code amq.},
         *     or has a line break
         */
        public Builder deadLettersTo(String name) {
            this.deadLetters = NameRules.requireName("deadLettersTo", name);
            return this;
        }

        /**
         * Makes both queues durable classic queues: for brokers with a single node, for RabbitMQ before 3.10, and for other
         * brokers. They are lost with their node, count no deliveries, and hand over a dead letter at most once. A broker that
         * does not know {@code x-dead-letter-exchange} drops dead letters, or refuses the queue.
         *
         * @return this builder
         */
        public Builder classic() {
            this.quorum = false;
            return this;
        }

        /**
         * Makes the topology; nothing is declared yet.
         *
         * @return the topology
         * @throws IllegalArgumentException if the dead letters would have the name of the queue or of one of the exchanges, or
         *     a name that is too long, or if a classic queue has a delivery limit
         */
        public QueueTopology build() {
            if (!quorum && deliveryLimit != null) {
                throw new IllegalArgumentException(
                        "deliveryLimit must be left out of a classic queue, which counts no deliveries (was "
                                + deliveryLimit + ")");
            }
            String dead = deadLetters != null
                    ? deadLetters
                    : NameRules.requireName("queue with \"" + DEAD_SUFFIX + "\" at its end", queue + DEAD_SUFFIX);
            if (dead.equals(queue) || bindings.stream().map(Binding::exchange).anyMatch(dead::equals)) {
                throw new IllegalArgumentException(
                        "deadLettersTo must differ from the queue and its exchanges (was \"" + dead + "\")");
            }
            return new QueueTopology(this, dead);
        }
    }
}
