package dev.typedoutbox.relay;

import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.store.OutboxStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves events from the outbox to a broker.
 *
 * <p>Each event whose transaction committed is published at least once, with the same message id each time, and its row is
 * marked as processed only after the broker's own confirmation. The events of one aggregate go out in the order of their
 * numbers, with any number of relays, in one process or many, without configuration or election. Events that the broker
 * refuses are tried again by the {@link RetryPolicy} and never stop the others. While the broker or the database is away,
 * the relay waits, no event's attempts are used up, and it goes on by itself.
 *
 * <p>Safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class Relay implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);
    private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(2);
    private static final AtomicInteger THREAD_NUMBER = new AtomicInteger();

    private final DataSource dataSource;
    private final EventPublisher publisher;
    private final RelayConfig config;
    private final ThreadFactory threadFactory;
    private final RelayStates states;
    private final Observers observers;
    private final Queries queries;
    private final Floor floor;
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final List<Thread> listenerThreads = new CopyOnWriteArrayList<>();
    private final List<BatchRunner> batches = new ArrayList<>();
    private final AtomicInteger closed = new AtomicInteger();
    private volatile Bell bell;
    private volatile @Nullable Listener listener;

    Relay(DataSource dataSource, EventPublisher publisher, RelayConfig config, ThreadFactory threadFactory) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
        this.publisher = Objects.requireNonNull(publisher, "publisher");
        this.config = Objects.requireNonNull(config, "config");
        this.threadFactory = threadFactory;
        this.states = new RelayStates(config.name(), config.workers());
        this.observers = new Observers(config.observers());
        this.queries = Queries.of(config);
        this.floor = new Floor(config);
        this.bell = newBell();
    }

    /**
     * A relay with the default settings, not started.
     *
     * @param dataSource the outbox's database; a pool with a connection for each worker to spare, and for a moment one more
     *     whenever the relay begins to listen
     * @param publisher the broker; not closed with the relay
     * @return the relay
     */
    public static Relay create(DataSource dataSource, EventPublisher publisher) {
        return create(dataSource, publisher, RelayConfig.defaults());
    }

    /**
     * A relay, not started.
     *
     * @param dataSource the outbox's database; a pool with a connection for each worker to spare, and for a moment one more
     *     whenever the relay begins to listen
     * @param publisher the broker; not closed with the relay
     * @param config the settings
     * @return the relay
     */
    public static Relay create(DataSource dataSource, EventPublisher publisher, RelayConfig config) {
        return new Relay(dataSource, publisher, config, Thread::new);
    }

    /**
     * Starts the workers and returns. Their threads are daemons: they do not keep the JVM alive. Neither the database nor
     * the broker need be there: the relay waits for them. A relay that was closed can be started again.
     *
     * @throws IllegalStateException if it runs already, or is closed while this method looks for the tables
     * @throws dev.typedoutbox.db.OutboxSchemaException if the database answers and lacks the outbox's tables
     */
    public void start() {
        // Outside the lock: close() must not wait for a database that does not answer.
        int closedBefore = closed.get();
        requireSchema();
        startWorkers(closedBefore);
    }

    private synchronized void startWorkers(int closedBefore) {
        if (closed.get() != closedBefore) {
            throw new IllegalStateException("relay must not be closed while it starts (was)");
        }
        if (!threads.isEmpty()) {
            throw new IllegalStateException("relay must be stopped to be started (was " + state() + ")");
        }
        bell = newBell();
        floor.forget();
        states.setAll(RelayState.STARTING);
        for (int i = 0; i < config.workers(); i++) {
            startWorker(i);
        }
        config.listenOn().ifPresent(this::startListener);
        observers.tell(observer -> observer.started(this));
    }

    /**
     * Publishes one batch on the calling thread, whether or not the relay is started; meant for tests.
     *
     * @return what the batch did; nothing is fetched when there is nothing to send
     * @throws PublisherUnavailableException if the broker cannot be reached or blocks its publishers
     * @throws DataAccessException if the database fails
     * @throws InterruptedException if the thread is interrupted
     */
    public BatchResult runOnce() throws InterruptedException {
        try (PublisherSession session = publisher.open()) {
            if (!session.awaitReady(config.confirmTimeout())) {
                throw new PublisherUnavailableException("the broker blocks its publishers", null);
            }
            return new BatchRunner(dataSource, config, queries, floor, observers)
                    .run(session)
                    .result();
        } catch (SQLException e) {
            throw new DataAccessException("the batch failed: " + e.getMessage(), e);
        }
    }

    /**
     * Counts the events that are still to be sent, those that wait for their retry included. Reads the index of all of
     * them, so it takes its time when there are millions.
     *
     * @return how many there are
     * @throws DataAccessException if the database fails
     */
    public int pendingCount() {
        try (Connection connection = dataSource.getConnection()) {
            return OutboxStore.pendingCount(queries.dsl().on(connection));
        } catch (SQLException e) {
            throw new DataAccessException("the pending events could not be counted: " + e.getMessage(), e);
        }
    }

    /**
     * Tells what the relay is called in the log and in the database.
     *
     * @return the name
     */
    public String name() {
        return config.name();
    }

    /**
     * Tells what the relay is doing now.
     *
     * @return the state
     */
    public RelayState state() {
        return states.state();
    }

    /**
     * Tells whether all threads that the relay has started live, as they do until it is closed, whatever is away or fails.
     * Where it is false, close it and start it again, or restart the process. A relay that was not started, or was closed, has
     * none to lose and is alive. Waits for nothing.
     *
     * @return whether none has ended that should not have
     */
    public boolean isAlive() {
        // Before the threads: of a bell that is open no thread may have ended, and a relay that is started again has
        // another.
        Bell current = bell;
        return (allAlive(threads) && allAlive(listenerThreads)) || current.isClosed();
    }

    /**
     * Tells whether the relay hears of new events at once, or only finds them when it polls.
     *
     * @return whether it listens and its connection is in order
     */
    public boolean isListening() {
        Listener current = listener;
        return current != null && current.isListening();
    }

    /**
     * Adds a listener that is told of each change of the state from now on.
     *
     * @param listener the listener
     */
    public void onStateChange(RelayStateListener listener) {
        states.add(Objects.requireNonNull(listener, "listener"));
    }

    /**
     * Stops: no batch begins any more, those under way are ended. A batch that does not end within the close time-out is
     * interrupted: what the broker confirmed by then is still marked, if the database answers. What was sent but not
     * confirmed is sent again by the next relay; no attempts are counted. Returns at most six seconds after the close
     * time-out. An interrupt ends the wait for the batches early. Does nothing when stopped already.
     */
    @Override
    public synchronized void close() {
        closed.incrementAndGet();
        bell.close();
        if (threads.isEmpty()) {
            return;
        }
        Listener hearing = listener;
        if (hearing != null) {
            hearing.cut();
        }
        if (!joinAll(threads, config.closeTimeout(), true)) {
            LOG.atWarn()
                    .addKeyValue("relay", config.name())
                    .addKeyValue("close_timeout", config.closeTimeout())
                    .log("batches under way did not end in time and are interrupted");
            threads.forEach(Thread::interrupt);
            if (!joinAll(threads, AFTER_INTERRUPT, false)) {
                batches.forEach(BatchRunner::abort);
                joinAll(threads, AFTER_INTERRUPT, false);
            }
        }
        // It ends at once, unless it waits for a connection.
        joinAll(listenerThreads, AFTER_INTERRUPT, true);
        listenerThreads.clear();
        threads.clear();
        batches.clear();
        listener = null;
        states.setAll(RelayState.STOPPED);
        observers.tell(observer -> observer.stopped(this));
    }

    private void requireSchema() {
        try {
            OutboxSchema.validate(dataSource, config.schema());
            KeptRows.tell(dataSource, config.schema());
        } catch (DataAccessException e) {
            LOG.atDebug().setCause(e).log("database is not there yet; the workers wait for it");
        }
    }

    private void startWorker(int number) {
        BatchRunner runner = new BatchRunner(dataSource, config, queries, floor, observers);
        batches.add(runner);
        threads.add(start("outbox-relay-", new Worker(number, publisher, runner, config, bell, states)));
    }

    private void startListener(DataSource unpooled) {
        Listener started = new Listener(unpooled, dataSource, config, bell);
        listener = started;
        listenerThreads.add(start("outbox-relay-listener-", started));
    }

    private Thread start(String name, Runnable work) {
        Thread thread = threadFactory.newThread(work);
        thread.setName(name + THREAD_NUMBER.incrementAndGet());
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private Bell newBell() {
        return new Bell(config.workers(), config.pollInterval());
    }

    /** Waits for the threads' end; an interrupt of the caller cuts the wait short, unless it is one that must be. */
    private static boolean joinAll(List<Thread> threads, Duration timeout, boolean interruptible) {
        long end = System.nanoTime() + timeout.toNanos();
        boolean interrupted = false;
        while (anyAlive(threads) && System.nanoTime() - end < 0 && !(interrupted && interruptible)) {
            try {
                for (Thread thread : threads) {
                    thread.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !anyAlive(threads);
    }

    private static boolean allAlive(List<Thread> threads) {
        return threads.stream().allMatch(Thread::isAlive);
    }

    private static boolean anyAlive(List<Thread> threads) {
        return threads.stream().anyMatch(Thread::isAlive);
    }
}
