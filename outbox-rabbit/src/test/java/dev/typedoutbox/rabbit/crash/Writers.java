package dev.typedoutbox.rabbit.crash;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.rabbit.support.OutboxDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An application under load: transactions that change an aggregate and publish one to three events of it. They overlap, some
 * are long, some are rolled back, and the application goes on whatever happens to its database. It keeps account of what it
 * committed.
 */
final class Writers implements AutoCloseable {
    static final String APPLICATION_NAME = "writer";

    private static final Logger LOG = LoggerFactory.getLogger(Writers.class);
    private static final int THREADS = 3;
    private static final int AGGREGATES = 40;
    private static final int MOST_EVENTS = 3;
    private static final double LONG = 0.03;
    private static final double ROLLED_BACK = 0.1;
    private static final long LONG_MILLIS = 80;
    private static final long PAUSE_MILLIS = 8;

    private final DataSource dataSource;
    private final Outbox outbox = Outbox.create();
    private final Set<UUID> committed = ConcurrentHashMap.newKeySet();
    private final Set<UUID> doubtful = ConcurrentHashMap.newKeySet();
    private final CountDownLatch stop = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();

    Writers(OutboxDatabase database) {
        this.dataSource = database.direct(APPLICATION_NAME);
        database.execute("create table aggregates (id int primary key, version int not null)");
        database.execute("insert into aggregates select i, 0 from generate_series(0, " + (AGGREGATES - 1) + ") as i");
    }

    void start() {
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(this::write, "writer-" + i);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    /** What is known to be committed. */
    Set<UUID> committed() {
        return committed;
    }

    /** Those whose commit was not answered: the database knows which of them it took. */
    Set<UUID> doubtful() {
        return doubtful;
    }

    /** Returns when all transactions have ended. */
    @Override
    public void close() {
        stop.countDown();
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void write() {
        try {
            do {
                writeOnOneConnection();
            } while (!stop.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            LOG.debug("writer was interrupted");
        }
    }

    private void writeOnOneConnection() throws InterruptedException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            do {
                change(connection);
            } while (!stop.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS));
        } catch (SQLException | DataAccessException e) {
            LOG.debug("transaction failed, another connection is tried", e);
        }
    }

    /** Publishes one event of an aggregate that the others change too, and like them under the aggregate's lock. */
    static List<UUID> writeOne(OutboxDatabase database, String eventType) {
        return database.inTransaction(tx -> {
            lock(tx, 0);
            return List.of(
                    Outbox.create().publish(tx, NewEvent.of("order", "order-0", eventType, Map.of("number", 0))));
        });
    }

    private void change(Connection tx) throws SQLException, InterruptedException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        int aggregate = random.nextInt(AGGREGATES);
        lock(tx, aggregate);
        List<UUID> ids = outbox.publishAll(tx, events(aggregate, 1 + random.nextInt(MOST_EVENTS)));
        if (random.nextDouble() < LONG) {
            stop.await(LONG_MILLIS, TimeUnit.MILLISECONDS);
        }
        if (random.nextDouble() < ROLLED_BACK) {
            tx.rollback();
        } else {
            commit(tx, ids);
        }
    }

    private static void lock(Connection tx, int aggregate) throws SQLException {
        try (PreparedStatement update =
                tx.prepareStatement("update aggregates set version = version + 1 where id = ?")) {
            update.setInt(1, aggregate);
            update.executeUpdate();
        }
    }

    private void commit(Connection tx, List<UUID> ids) throws SQLException {
        doubtful.addAll(ids);
        tx.commit();
        committed.addAll(ids);
        ids.forEach(doubtful::remove);
    }

    private static List<NewEvent> events(int aggregate, int number) {
        return IntStream.range(0, number)
                .mapToObj(i -> NewEvent.of("order", "order-" + aggregate, "order.changed", Map.of("number", i)))
                .toList();
    }
}
