package dev.typedoutbox.rabbit;

import com.rabbitmq.client.ConnectionFactory;
import dev.typedoutbox.consumer.EventConsumer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Receives events from one queue, one after the other in the queue's order, and acknowledges each after it was applied.
 *
 * <p>An event that cannot be applied is tried again after a delay, without an end, and holds up those behind it, so that none
 * overtakes it. A message that can never be an event, because its message id is not a UUID, is rejected: RabbitMQ hands it to the queue's
 * dead-letter exchange, or drops it where there is none. When the connection is lost the consumer connects again by itself,
 * for as long as it takes.
 *
 * <p>Safe for use by several threads. The events are handled on one thread of the consumer's own.
 */
public final class RabbitConsumer implements AutoCloseable {
    private static final AtomicInteger THREAD_NUMBER = new AtomicInteger();
    private static final int MAX_PREFETCH = 65_535;

    private final Subscription subscription;
    private final Duration closeTimeout;
    private @Nullable Thread thread;

    private RabbitConsumer(Builder builder) {
        this.subscription = new Subscription(
                builder.settings, builder.queue, builder.prefetch, builder.retryDelay, builder.consumer);
        this.closeTimeout = builder.closeTimeout;
    }

    /**
     * Begins a consumer.
     *
     * @param settings where the broker is, and how to log in; copied
     * @param queue the queue's name; the queue must exist
     * @param consumer what each event is handed to, such as an {@code IdempotentConsumer}
     * @return a builder
     * @throws IllegalArgumentException if the queue's name is empty
     */
    public static Builder builder(ConnectionFactory settings, String queue, EventConsumer consumer) {
        return new Builder(settings, queue, consumer);
    }

    /**
     * Starts to receive and returns; its thread is a daemon and does not keep the JVM alive. Neither the broker nor the queue
     * need be there yet. A consumer that was closed cannot
     * be started again.
     *
     * @throws IllegalStateException if it was started or closed before
     */
    public synchronized void start() {
        if (thread != null || subscription.isStopped()) {
            String was = subscription.isStopped() ? "closed" : "started";
            throw new IllegalStateException("consumer must be new to be started (was " + was + "): build another");
        }
        Thread started = new Thread(subscription, "outbox-consumer-" + THREAD_NUMBER.incrementAndGet());
        started.setDaemon(true);
        thread = started;
        started.start();
    }

    /**
     * Ends the event under way and stops. If it does not end within the close time-out, its thread is interrupted; what was
     * not acknowledged is delivered again later.
     */
    @Override
    public synchronized void close() {
        subscription.stop();
        Thread running = thread;
        if (running == null) {
            return;
        }
        try {
            running.join(closeTimeout.toMillis());
            running.interrupt();
            running.join(closeTimeout.toMillis());
        } catch (InterruptedException e) {
            running.interrupt();
            Thread.currentThread().interrupt();
        }
    }

    /** Collects the settings of a {@link RabbitConsumer}. Not safe for use by several threads. */
    public static final class Builder {
        private static final Duration SHORTEST = Duration.ofMillis(1);
        private static final Duration LONGEST = Duration.ofDays(1);

        private final ConnectionFactory settings;
        private final String queue;
        private final EventConsumer consumer;
        private int prefetch = 100;
        private Duration retryDelay = Duration.ofSeconds(1);
        private Duration closeTimeout = Duration.ofSeconds(5);

        private Builder(ConnectionFactory settings, String queue, EventConsumer consumer) {
            this.settings = Objects.requireNonNull(settings, "settings").clone();
            this.queue = Objects.requireNonNull(queue, "queue");
            if (queue.isEmpty()) {
                throw new IllegalArgumentException("queue must be the name of a queue (was empty)");
            }
            this.consumer = Objects.requireNonNull(consumer, "consumer");
        }

        /**
         * Sets how many messages the broker may send ahead of their acknowledgement. Default: 100.
         *
         * @param messages 1 to 65,535
         * @return this builder
         * @throws IllegalArgumentException if out of bounds
         */
        public Builder prefetch(int messages) {
            if (messages < 1 || messages > MAX_PREFETCH) {
                throw new IllegalArgumentException(
                        "prefetch must be between 1 and " + MAX_PREFETCH + " (was " + messages + ")");
            }
            this.prefetch = messages;
            return this;
        }

        /**
         * Sets how long to wait before an event that could not be applied is tried again. Default: 1 s.
         *
         * @param delay 1 ms to 1 day
         * @return this builder
         * @throws IllegalArgumentException if out of bounds
         */
        public Builder retryDelay(Duration delay) {
            this.retryDelay = requireBounded("retryDelay", delay);
            return this;
        }

        /**
         * Sets how long {@link RabbitConsumer#close} waits for the event under way, and then once more after it has
         * interrupted it. Default: 5 s.
         *
         * @param timeout 1 ms to 1 day
         * @return this builder
         * @throws IllegalArgumentException if out of bounds
         */
        public Builder closeTimeout(Duration timeout) {
            this.closeTimeout = requireBounded("closeTimeout", timeout);
            return this;
        }

        /**
         * Makes the consumer, not started.
         *
         * @return the consumer
         */
        public RabbitConsumer build() {
            return new RabbitConsumer(this);
        }

        private static Duration requireBounded(String property, Duration value) {
            if (value.compareTo(SHORTEST) < 0 || value.compareTo(LONGEST) > 0) {
                throw new IllegalArgumentException(
                        property + " must be between " + SHORTEST + " and " + LONGEST + " (was " + value + ")");
            }
            return value;
        }
    }
}
