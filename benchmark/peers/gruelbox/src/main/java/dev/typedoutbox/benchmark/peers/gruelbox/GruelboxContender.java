package dev.typedoutbox.benchmark.peers.gruelbox;

import com.gruelbox.transactionoutbox.DefaultPersistor;
import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.ExecutorSubmitter;
import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.ThreadLocalContextTransactionManager;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.benchmark.contender.Backlog;
import dev.typedoutbox.benchmark.contender.Contender;
import dev.typedoutbox.benchmark.contender.ContenderMain;
import dev.typedoutbox.benchmark.contender.Event;
import dev.typedoutbox.benchmark.contender.Settings;
import dev.typedoutbox.benchmark.contender.StatementCounter;
import dev.typedoutbox.benchmark.peers.publisher.ConfirmedPublisher;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/**
 * gruelbox transaction-outbox: a backlog goes through {@code flush()} in a loop, as its documentation has it; what is
 * written while the relay runs, to the workers at once after the commit.
 */
public final class GruelboxContender implements Contender {
    private static final Duration ATTEMPT_FREQUENCY = Duration.ofMinutes(2);
    private static final Duration PAUSE_WHEN_NOTHING_IS_DUE = Duration.ofMillis(100);
    private static final int EVENTS_PER_FILLING_TRANSACTION = 5_000;
    private static final int CONNECTIONS_FOR_OTHERS = 10;

    private final Settings settings;
    private final int threads;
    private final HikariDataSource dataSource = new HikariDataSource();
    private final StatementCounter statements = new StatementCounter();
    private final boolean counting;
    private final ThreadLocalContextTransactionManager transactions;
    private final TransactionOutbox outbox;

    private volatile boolean started;
    private volatile @Nullable ThreadPoolExecutor workers;
    private volatile @Nullable ConfirmedPublisher publisher;
    private @Nullable Thread flushing;

    private GruelboxContender(Settings settings) {
        this.settings = settings;
        this.threads = settings.number("threads", 32);
        dataSource.setJdbcUrl(settings.jdbcUrl());
        dataSource.setUsername(settings.jdbcUser());
        dataSource.setPassword(settings.jdbcPassword());
        dataSource.setMaximumPoolSize(threads + CONNECTIONS_FOR_OTHERS);
        counting = settings.flag("statements", false);
        transactions = TransactionManager.fromDataSource(counting ? statements.count(dataSource) : dataSource);
        outbox = outbox(
                ExecutorSubmitter.builder().executor(this::executeIfStarted).build(), Clock.systemUTC());
    }

    /**
     * Runs the contender.
     *
     * @param args none
     */
    public static void main(String[] args) {
        ContenderMain.run(GruelboxContender::new);
    }

    private TransactionOutbox outbox(Submitter submitter, Clock clock) {
        return TransactionOutbox.builder()
                .transactionManager(transactions)
                .persistor(
                        DefaultPersistor.builder().dialect(Dialect.POSTGRESQL_9).build())
                .instantiator(Instantiator.using(name -> (EventQueue) this::publish))
                .submitter(submitter)
                .attemptFrequency(ATTEMPT_FREQUENCY)
                .flushBatchSize(settings.number("batch", 1_000))
                .serializeMdc(false)
                .clockProvider(() -> clock)
                .initializeImmediately(false)
                .build();
    }

    private void executeIfStarted(Runnable task) {
        ThreadPoolExecutor current = workers;
        if (current != null) {
            current.execute(task);
        }
    }

    private void publish(String type, String payload) throws Exception {
        ConfirmedPublisher current = publisher;
        if (current == null) {
            throw new IllegalStateException("contender must be started");
        }
        current.publish(type, payload);
    }

    @Override
    public void prepare() {
        outbox.initialize();
    }

    @Override
    public void fill(Backlog backlog) throws Exception {
        transactions.inTransactionThrows(
                transaction -> transaction.connection().createStatement().execute("truncate txno_outbox"));
        // Calls that were scheduled so long ago, and never made, that they are due.
        TransactionOutbox earlier =
                outbox((entry, processor) -> {}, Clock.offset(Clock.systemUTC(), ATTEMPT_FREQUENCY.multipliedBy(-2)));
        earlier.initialize();
        List<Event> transaction = new ArrayList<>();
        for (long number = 0; number < backlog.events(); number++) {
            transaction.add(backlog.event(number));
            if (transaction.size() == EVENTS_PER_FILLING_TRANSACTION || number == backlog.events() - 1) {
                schedule(earlier, transaction);
                transaction.clear();
            }
        }
    }

    @Override
    public void start() throws Exception {
        statements.reset();
        publisher = ConfirmedPublisher.connect(settings.amqpUri(), settings.exchange());
        workers = Workers.start(threads);
        started = true;
        flushing = new Thread(this::flush, "flush");
        flushing.start();
    }

    private void flush() {
        try {
            while (started) {
                if (!outbox.flush()) {
                    Thread.sleep(PAUSE_WHEN_NOTHING_IS_DUE.toMillis());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void stop() throws Exception {
        started = false;
        Thread thread = flushing;
        if (thread != null) {
            thread.join();
        }
        ThreadPoolExecutor current = workers;
        workers = null;
        if (current != null) {
            Workers.stop(current);
        }
        ConfirmedPublisher connected = publisher;
        if (connected != null) {
            connected.close();
        }
    }

    @Override
    public void write(List<Event> events) {
        schedule(outbox, events);
    }

    private void schedule(TransactionOutbox with, List<Event> events) {
        transactions.inTransaction(() -> {
            EventQueue queue = with.schedule(EventQueue.class);
            for (Event event : events) {
                publishLater(queue, event);
            }
        });
    }

    private static void publishLater(EventQueue queue, Event event) {
        try {
            queue.publish(event.type(), event.payload());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Map<String, String> stats() {
        return counting ? Map.of("statements", Long.toString(statements.count())) : Map.of();
    }

    @Override
    public void close() {
        dataSource.close();
    }
}
