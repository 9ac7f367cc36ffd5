package dev.typedoutbox.rabbit;

import com.rabbitmq.client.ConnectionFactory;
import dev.typedoutbox.consumer.EventConsumer;
import dev.typedoutbox.relay.RetryPolicy;
import java.time.Duration;
import java.util.Collections;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives events from one queue, hands them over in batches, and acknowledges each after it was applied. When the
 * connection or a channel is lost it connects again by itself, for as long as it takes; what was not acknowledged comes
 * again.
 *
 * <p><b>Order.</b> With one channel, the default, the events of each aggregate are applied in the queue's order; with
 * one worker as well, all events are. An event that fails holds back the later ones of its aggregate, and no others.
 * Several channels, or several consumers of one queue, share its events without any order. So declare the queue with
 * {@code x-single-active-consumer}, also for one process: else a consumer that reconnects can be given later messages
 * while RabbitMQ counts earlier ones as delivered on the connection that was lost. For order at more speed spread the
 * aggregates over several queues, with a consumer each (<a
 * href="https://www.rabbitmq.com/docs/consumers#single-active-consumer">RabbitMQ on consumers</a>).
 *
 * <p><b>Failures.</b> An event that cannot be applied is tried again here, with growing delays, and not given back to
 * the queue, where later ones would overtake it and a quorum queue would drop it at its limit of deliveries. What fails
 * more often than the {@linkplain Builder#retryPolicy retry policy} allows is given up as a dead letter, and the later
 * ones of its aggregate go on. A message that can never be an event, because its message id is not a UUID, is given up
 * at once. Dead letters go where {@link Builder#deadLetterExchange} or {@link Builder#rejectDeadLetters} says. Without
 * either, nothing is given up: an event is tried without end, and a message that is no event stays unacknowledged, so
 * that nothing is lost; {@link #start} warns of it. While the database is away nothing counts as a failure of an
 * event's.
 *
 * <p>All that waits for another attempt counts against the {@linkplain Builder#prefetch prefetch count}. When that is
 * full, nothing new comes until some of it is applied or given up, and a warning tells so. RabbitMQ takes back what is
 * not acknowledged within its {@code consumer_timeout}, half an hour by default, and counts that as a delivery: with a
 * database that is away for many hours, a quorum queue can reach its delivery limit.
 *
 * <p>Safe for use by several threads. The events are handled on threads of the consumer's own, as many as workers on
 * each channel.
 *
 * @since 0.1.0
 */
public final class RabbitConsumer implements AutoCloseable {
    /** How many messages the broker may send ahead, by default: {@value}. */
    public static final int DEFAULT_PREFETCH = 250;

    /** How many events are handed over together at most, by default: {@value}. */
    public static final int DEFAULT_BATCH_SIZE = 100;

    /** How many threads share a batch, by default: {@value}. */
    public static final int DEFAULT_WORKERS = 2;

    /** On how many channels it receives, by default: {@value}. */
    public static final int DEFAULT_CHANNELS = 1;

    /** How long {@link #close} waits for the batches under way, by default: 5 s. */
    public static final Duration DEFAULT_CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(RabbitConsumer.class);
    private static final int MAX_PREFETCH = 65_535;
    private static final int MAX_CHANNELS = 256;
    private static final int MAX_WORKERS = 64;

    private final ConsumerConnection connection;
    private final ConsumerSettings settings;
    private final int channels;
    private final ConsumerThreads threads;
    private final AtomicInteger receiving;
    private final Duration closeTimeout;
    private final CountDownLatch stop = new CountDownLatch(1);
    private volatile boolean closedByHandler;

    private RabbitConsumer(Builder builder) {
        DeadLetterRoute deadLetters = builder.deadLetters.get();
        this.connection = new ConsumerConnection(builder.settings, deadLetters);
        this.threads = new ConsumerThreads(builder.channels * (builder.workers - 1));
        this.receiving = new AtomicInteger(builder.channels);
        this.settings = new ConsumerSettings(
                builder.queue,
                new SharedWork(builder.consumer, builder.workers, threads.workers()),
                builder.prefetch,
                builder.batchSize,
                builder.batchWait,
                builder.retryPolicy,
                deadLetters,
                builder.onDeadLetter);
        this.channels = builder.channels;
        this.closeTimeout = builder.closeTimeout;
    }

    /**
     * Begins a consumer.
     *
     * @param settings where the broker is, and how to log in; copied
     * @param queue the queue's name; the queue must exist
     * @param consumer what the events are handed to, such as an {@code IdempotentConsumer}
     * @return a builder
     * @throws IllegalArgumentException if the queue's name is not of 1 to 255 bytes in UTF-8, or has a line break
     */
    public static Builder builder(ConnectionFactory settings, String queue, EventConsumer consumer) {
        return new Builder(settings, queue, consumer);
    }

    /**
     * Starts to receive and returns; its threads are daemons and do not keep the JVM alive. Neither the broker nor the
     * queue need be there yet. A consumer that was closed cannot be started again.
     *
     * @throws IllegalStateException if it was started or closed before
     */
    public synchronized void start() {
        if (threads.areStarted() || stop.getCount() == 0) {
            String was = stop.getCount() == 0 ? "closed" : "started";
            throw new IllegalStateException("consumer must be new to be started (was " + was + "): build another");
        }
        if (!settings.deadLetters().isThere()) {
            LOG.atWarn()
                    .addKeyValue("queue", settings.queue())
                    .log("consumer has no dead-letter exchange: an event that always fails is tried without end, and"
                            + " holds back the later ones of its aggregate");
        }
        threads.start(Collections.nCopies(channels, this::receive));
    }

    private void receive() {
        new Subscription(connection, settings, stop).run();
        if (receiving.decrementAndGet() == 0 && closedByHandler) {
            end();
        }
    }

    /**
     * Ends the batch under way and stops. If it does not end within the close time-out, its thread is interrupted, and
     * is given the same time once more; what was not acknowledged is delivered again later. Closing the connections can
     * take up to 4 s more. Called by a handler it waits for nothing: the consumer stops when the handler has returned.
     */
    @Override
    public void close() {
        if (threads.areCalling()) {
            // To wait here is to wait for oneself; the last that receives closes the connections.
            closedByHandler = true;
            stop.countDown();
        } else {
            stop.countDown();
            awaitEnd();
        }
    }

    private synchronized void awaitEnd() {
        try {
            if (!threads.awaitEnd(closeTimeout)) {
                threads.interrupt();
                threads.awaitEnd(closeTimeout);
            }
        } catch (InterruptedException e) {
            threads.interrupt();
            Thread.currentThread().interrupt();
        } finally {
            end();
        }
    }

    private void end() {
        threads.shutDown();
        connection.close();
        settings.deadLetters().close();
    }

    /** Collects the settings of a {@link RabbitConsumer}. Not safe for use by several threads. */
    public static final class Builder {
        private static final Duration SHORTEST = Duration.ofMillis(1);
        private static final Duration LONGEST = Duration.ofDays(1);
        private static final Duration LONGEST_BATCH_WAIT = Duration.ofSeconds(10);

        private final ConnectionFactory settings;
        private final String queue;
        private final EventConsumer consumer;
        private int prefetch = DEFAULT_PREFETCH;
        private int batchSize = DEFAULT_BATCH_SIZE;
        private Duration batchWait = Duration.ZERO;
        private int channels = DEFAULT_CHANNELS;
        private int workers = DEFAULT_WORKERS;
        private RetryPolicy retryPolicy = RetryPolicy.DEFAULT;
        private Supplier<DeadLetterRoute> deadLetters = () -> DeadLetterRoute.NONE;
        private Consumer<GivenUpMessage> onDeadLetter = message -> {};
        private Duration closeTimeout = DEFAULT_CLOSE_TIMEOUT;

        private Builder(ConnectionFactory settings, String queue, EventConsumer consumer) {
            this.settings = Objects.requireNonNull(settings, "settings").clone();
            this.queue = Objects.requireNonNull(queue, "queue");
            NameRules.requireText("queue", queue);
            this.consumer = Objects.requireNonNull(consumer, "consumer");
        }

        /**
         * Sets how many messages the broker may send ahead of their acknowledgement, on each channel; they are held in
         * memory. Those that wait for another attempt are among them. Default: {@value
         * RabbitConsumer#DEFAULT_PREFETCH}.
         *
         * @param messages 1 to 65,535, and not below the batch size
         * @return this builder
         * @throws IllegalArgumentException if out of bounds
         */
        public Builder prefetch(int messages) {
            this.prefetch = requireBounded("prefetch", MAX_PREFETCH, messages);
            return this;
        }

        /**
         * Sets how many events are taken together at most, for all workers of a channel. With an {@code
         * IdempotentConsumer} those of a worker share a transaction; with 1 each event has one of its own, and the
         * other workers nothing to do. Default: {@value RabbitConsumer#DEFAULT_BATCH_SIZE}.
         *
         * @param events 1 to 65,535
         * @return this builder
         * @throws IllegalArgumentException if out of bounds
         */
        public Builder batchSize(int events) {
            this.batchSize = requireBounded("batchSize", MAX_PREFETCH, events);
            return this;
        }

        /**
         * Sets how long to wait for a batch to fill, from its first event on. Default: not at all; what came while the
         * last batch was applied is the next one, so that batches grow with the load and no event waits without need. A
         * wait makes fewer and larger transactions at the price of latency.
         *
         * @param wait 0 to 10 s
         * @return this builder
         * @throws IllegalArgumentException if out of bounds
         */
        public Builder batchWait(Duration wait) {
            if (wait.isNegative() || wait.compareTo(LONGEST_BATCH_WAIT) > 0) {
                throw new IllegalArgumentException(
                        "batchWait must be between PT0S and " + LONGEST_BATCH_WAIT + " (was " + wait + ")");
            }
            this.batchWait = wait;
            return this;
        }

        /**
         * Sets how many threads share a batch, on each channel; each has a transaction, and so a connection of the
         * pool, for its part. The events of an aggregate are in one part and keep their order; events of different
         * aggregates may overtake one another within the batch, unless this is 1. Default: {@value
         * RabbitConsumer#DEFAULT_WORKERS}.
         *
         * @param number 1 to 64
         * @return this builder
         * @throws IllegalArgumentException if out of bounds
         */
        public Builder workers(int number) {
            this.workers = requireBounded("workers", MAX_WORKERS, number);
            return this;
        }

        /**
         * Sets on how many channels to receive at the same time, each with workers of its own. More than one gives up
         * the queue's order. Default: {@value RabbitConsumer#DEFAULT_CHANNELS}.
         *
         * @param number 1 to 256
         * @return this builder
         * @throws IllegalArgumentException if out of bounds
         */
        public Builder channels(int number) {
            this.channels = requireBounded("channels", MAX_CHANNELS, number);
            return this;
        }

        /**
         * Sets when an event that could not be applied is tried again, and when it is given up as a dead letter. From
         * the second failure here on, a quorum queue's count of earlier deliveries counts as well, so that restarts do
         * not begin anew. All waits together must be shorter than the broker's delivery acknowledgement time-out, 30
         * minutes by default (<a href="https://www.rabbitmq.com/docs/consumers#acknowledgement-timeout">RabbitMQ on
         * consumers</a>). While the database is away, the policy's shortest wait is kept between two tries. Default:
         * {@link RetryPolicy#DEFAULT}.
         *
         * @param policy the policy
         * @return this builder
         */
        public Builder retryPolicy(RetryPolicy policy) {
            this.retryPolicy = Objects.requireNonNull(policy, "policy");
            return this;
        }

        /**
         * Publishes what is given up to an exchange, with its own routing key, body, properties and headers, and
         * acknowledges it when the broker has confirmed that from a queue; until then it stays in this one, and is
         * tried again. The headers {@code dead_letter_reason} (at most 1,000 characters), {@code dead_letter_queue},
         * {@code dead_letter_failures} and {@code dead_letter_at} are added; the user id, the expiration and the
         * headers {@code CC} and {@code BCC} are left out. A dead letter may arrive twice. While the broker blocks its
         * publishers nothing is given up. Replaces {@link #rejectDeadLetters}. Default: nothing is given up.
         *
         * @param exchange the exchange's name; must exist, with a queue bound to it. A warning tells when it does not exist, each time that a
         *     connection is opened.
         * @return this builder
         * @throws IllegalArgumentException if the name is not of 1 to 255 bytes in UTF-8, or has a line break
         */
        public Builder deadLetterExchange(String exchange) {
            NameRules.requireText("deadLetterExchange", exchange);
            this.deadLetters = () -> new DeadLetterExchange(settings, exchange, queue);
            return this;
        }

        /**
         * Rejects what is given up, so that RabbitMQ hands it to the queue's own dead-letter exchange, without a
         * reason. Where the queue has none, RabbitMQ drops it; AMQP cannot tell a client whether it has. Replaces
         * {@link #deadLetterExchange}. Default: nothing is given up.
         *
         * @return this builder
         */
        public Builder rejectDeadLetters() {
            this.deadLetters = () -> DeadLetterRoute.OF_THE_QUEUE;
            return this;
        }

        /**
         * Sets who is told of each message that was given up as a dead letter, as for metrics: after the broker has
         * confirmed it from a queue of the dead-letter exchange, or with {@link #rejectDeadLetters} after it was
         * rejected. Told once more when one is given up once more. Must be safe for use by several threads, and quick;
         * what it throws is logged and does no harm. Replaces the one before. Default: nobody.
         *
         * @param listener who is told
         * @return this builder
         */
        public Builder onDeadLetter(Consumer<GivenUpMessage> listener) {
            this.onDeadLetter = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /**
         * Sets how long {@link RabbitConsumer#close} waits for the batches under way, and then once more after it has
         * interrupted them. Default: 5 s.
         *
         * @param timeout 1 ms to 1 day
         * @return this builder
         * @throws IllegalArgumentException if out of bounds
         */
        public Builder closeTimeout(Duration timeout) {
            if (timeout.compareTo(SHORTEST) < 0 || timeout.compareTo(LONGEST) > 0) {
                throw new IllegalArgumentException(
                        "closeTimeout must be between " + SHORTEST + " and " + LONGEST + " (was " + timeout + ")");
            }
            this.closeTimeout = timeout;
            return this;
        }

        /**
         * Makes the consumer, not started.
         *
         * @return the consumer
         * @throws IllegalArgumentException if the prefetch count is below the batch size, which could then never be reached
         */
        public RabbitConsumer build() {
            if (prefetch < batchSize) {
                throw new IllegalArgumentException(
                        "prefetch must be at least batchSize " + batchSize + " (was " + prefetch + ")");
            }
            return new RabbitConsumer(this);
        }

        private static int requireBounded(String property, int most, int value) {
            if (value < 1 || value > most) {
                throw new IllegalArgumentException(
                        property + " must be between 1 and " + most + " (was " + value + ")");
            }
            return value;
        }
    }
}
