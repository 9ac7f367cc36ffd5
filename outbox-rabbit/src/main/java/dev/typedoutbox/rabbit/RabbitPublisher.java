package dev.typedoutbox.rabbit;

import com.rabbitmq.client.ConnectionFactory;
import dev.typedoutbox.relay.EventPublisher;
import dev.typedoutbox.relay.PublisherSession;
import dev.typedoutbox.relay.PublisherUnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Publishes events to RabbitMQ with publisher confirms, many in flight at once.
 *
 * <p>The outbox's id is the message id. Messages are persistent and mandatory: one that no queue takes is refused, as is one
 * that the broker nacks, that names a missing exchange, or that AMQP cannot carry. One connection serves all workers, each
 * with a channel of its own; it is opened when it is needed and replaced when it ends. A confirm that does not come in
 * time, or a channel that cannot be opened although one is left, ends it, and with it the channels of all workers.
 *
 * <p>Safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class RabbitPublisher implements EventPublisher {
    private static final String CONNECTION_NAME = "typed-outbox relay";
    private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(2_500);

    private final ConnectionFactory settings;
    private final Routing routing;
    private final ScheduledExecutorService watchdog;
    /** Workers connect one after the other; closing does not wait for them. */
    private final Object connecting = new Object();

    private volatile @Nullable RabbitConnection connection;
    private volatile boolean closed;

    private RabbitPublisher(ConnectionFactory settings, Routing routing) {
        this.settings = Objects.requireNonNull(settings, "settings").clone();
        this.routing = Objects.requireNonNull(routing, "routing");
        this.watchdog = watchdog();
    }

    /**
     * A publisher that is not connected yet.
     *
     * @param settings where the broker is, and how to log in; copied. Recovery by the client is switched off, and
     *     heartbeats, connecting and the broker's answers are bounded to 10 s, unless they are shorter already
     * @param routing where each event goes
     * @return the publisher, to be closed after the relay that uses it
     */
    public static RabbitPublisher create(ConnectionFactory settings, Routing routing) {
        return new RabbitPublisher(settings, routing);
    }

    /**
     * Opens a channel, and the connection if there is none.
     *
     * @return a session for use by the calling thread alone
     * @throws PublisherUnavailableException if RabbitMQ cannot be reached, refuses the login, blocks its publishers or has
     *     no channel left on the connection, or if this publisher was closed
     */
    @Override
    public PublisherSession open() {
        RabbitConnection current = openConnection();
        if (current.isBlocked()) {
            throw new PublisherUnavailableException("RabbitMQ blocks its publishers", null);
        }
        try {
            return new RabbitSession(current, routing, watchdog);
        } catch (NoChannelLeftException e) {
            throw new PublisherUnavailableException("no channel to RabbitMQ: " + e.getMessage(), e);
        } catch (IOException | RuntimeException e) {
            if (!current.isBlocked()) {
                current.cut();
            }
            throw new PublisherUnavailableException("no channel to RabbitMQ: " + Reasons.of(e), e);
        }
    }

    /** Closes the connection, and with it all channels, within 3 s. A connection that is being opened is closed then. */
    @Override
    public void close() {
        closed = true;
        RabbitConnection current = connection;
        if (current == null) {
            watchdog.shutdown();
            return;
        }
        Future<?> guard = cutInTheEnd(current);
        watchdog.shutdown();
        current.close();
        guard.cancel(false);
    }

    /** Closing in good order says so to the broker, and waits for a write that a frozen one does not take. */
    private Future<?> cutInTheEnd(RabbitConnection current) {
        try {
            return watchdog.schedule(current::cut, CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // It is being closed already.
            return CompletableFuture.completedFuture(null);
        }
    }

    private RabbitConnection openConnection() {
        synchronized (connecting) {
            RabbitConnection current = connection;
            if (!closed && (current == null || !current.isOpen())) {
                current = connect();
                connection = current;
            }
            if (current == null || closed) {
                close();
                throw new PublisherUnavailableException("the publisher is closed", null);
            }
            return current;
        }
    }

    private RabbitConnection connect() {
        try {
            return RabbitConnection.open(settings, CONNECTION_NAME);
        } catch (IOException | TimeoutException | RuntimeException e) {
            throw new PublisherUnavailableException(ClientSettings.unreachable(settings, e), e);
        }
    }

    private static ScheduledExecutorService watchdog() {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "outbox-rabbit-watchdog");
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        return executor;
    }
}
