package dev.typedoutbox.benchmark.harness;

import dev.typedoutbox.benchmark.contender.Backlog;
import dev.typedoutbox.benchmark.contender.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.postgresql.ds.PGSimpleDataSource;

/** Clients that write as fast as they can, an order in each transaction and perhaps an event. */
final class Writers {
    private static final Duration RAMP = Duration.ofSeconds(1);

    private final PGSimpleDataSource database;
    private final int clients;
    private final boolean withEvent;
    private final AtomicLong nextNumber = new AtomicLong();
    private final AtomicLong committed = new AtomicLong();
    private final Backlog events = new Backlog(Integer.MAX_VALUE, Plan.PAYLOAD, Plan.AGGREGATES);
    private volatile boolean stopped;

    Writers(PGSimpleDataSource database, int clients, boolean withEvent) {
        this.database = database;
        this.clients = clients;
        this.withEvent = withEvent;
    }

    /** Empty ones, beside the library's own. */
    static void createTables(PGSimpleDataSource database) throws SQLException {
        Postgres.execute(
                database,
                "create table if not exists benchmark_orders (id bigint primary key, customer text not null,"
                        + " total numeric not null, created_at timestamptz not null default now());"
                        + " truncate benchmark_orders, outbox_events");
    }

    /** Transactions a second, after a second in which all get going. */
    double run(Duration duration) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        try {
            List<Future<?>> writers = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                writers.add(threads.submit(() -> {
                    write();
                    return null;
                }));
            }
            Thread.sleep(RAMP.toMillis());
            long before = committed.get();
            long start = System.nanoTime();
            Thread.sleep(duration.toMillis());
            double perSecond = (committed.get() - before) / ((System.nanoTime() - start) / 1e9);
            stopped = true;
            for (Future<?> writer : writers) {
                writer.get();
            }
            return perSecond;
        } finally {
            threads.shutdownNow();
        }
    }

    /** How many events there are, numbered from 0. */
    long written() {
        return committed.get();
    }

    private void write() throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement order = connection.prepareStatement(
                        "insert into benchmark_orders (id, customer, total) values (?, 'somebody', 19.90)");
                PreparedStatement event = connection.prepareStatement(
                        "insert into outbox_events (aggregate_type, aggregate_id, event_type, payload)"
                                + " values (?, ?, ?, ?::jsonb)")) {
            connection.setAutoCommit(false);
            while (!stopped) {
                write(order, event, nextNumber.getAndIncrement());
                connection.commit();
                committed.incrementAndGet();
            }
        }
    }

    private void write(PreparedStatement order, PreparedStatement insert, long number) throws SQLException {
        order.setLong(1, number);
        order.executeUpdate();
        if (withEvent) {
            Event event = events.event(number);
            insert.setString(1, event.aggregateType());
            insert.setString(2, event.aggregateId());
            insert.setString(3, event.type());
            insert.setString(4, event.payload());
            insert.executeUpdate();
        }
    }
}
