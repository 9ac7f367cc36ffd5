package dev.typedoutbox.migratein;

import static dev.typedoutbox.relay.RelayFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** The service at work: each writer has aggregates of its own, and numbers its events. It knows the plain table alone. */
final class PlainWriters implements AutoCloseable {
    private static final int AGGREGATES = 10;
    private static final int SOME = 200;

    private final AtomicInteger written = new AtomicInteger();
    private final Queue<Exception> failures = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads;
    private volatile boolean stopped;

    PlainWriters(List<DataSource> connections, Place place) {
        threads = IntStream.range(0, connections.size())
                .mapToObj(i -> new Thread(() -> write(connections.get(i), place, "writer-" + i), "writer-" + i))
                .toList();
        threads.forEach(Thread::start);
    }

    private void write(DataSource dataSource, Place place, String name) {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement insert = connection.prepareStatement("insert into " + place.inSql()
                        + " (id, aggregate_type, aggregate_id, event_type, payload)"
                        + " values (?, 'order', ?, 'order.changed', ?::jsonb)")) {
            connection.setAutoCommit(false);
            for (int n = 1; !stopped; n++) {
                insert.setObject(1, UUID.randomUUID());
                insert.setString(2, name + "-" + n % AGGREGATES);
                insert.setString(3, String.valueOf(n));
                insert.executeUpdate();
                connection.commit();
                written.incrementAndGet();
            }
        } catch (SQLException | RuntimeException e) {
            failures.add(e);
        }
    }

    int written() {
        return written.get();
    }

    void awaitMore() {
        int enough = written.get() + SOME;
        eventually(() -> written.get() >= enough || !failures.isEmpty());
        assertThat(failures).isEmpty();
    }

    @Override
    public void close() {
        stopped = true;
        threads.forEach(PlainWriters::join);
        assertThat(failures).isEmpty();
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
