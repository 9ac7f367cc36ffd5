package dev.typedoutbox.store;

import static dev.typedoutbox.db.generated.Tables.OUTBOX_EVENTS;
import static dev.typedoutbox.db.generated.Tables.PROCESSED_EVENTS;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/**
 * Deletes the old rows of a table in batches, each in a transaction of its own. Waits for nobody, and rests between the
 * batches, so that the server has time for others.
 */
public final class Purge {
    /** The bound that the database has for each statement of a purge. */
    public static final Duration LONGEST_STATEMENT = OldRows.LONGEST_STATEMENT;

    private static final Duration SHORTEST = Duration.ofMinutes(1);
    private static final Duration LONGEST = Duration.ofDays(36_500);
    private static final int BATCH_SIZE = 5_000;

    /** How long a batch is rested from, as against how long it took. */
    private static final int REST = 2;

    private static final long LONGEST_REST = Duration.ofSeconds(1).toNanos();

    private final String what;
    private final OldRows rows;
    private final OutboxDsl dsl;
    private final boolean oneAtATime;

    private Purge(String what, OldRows rows, OutboxDsl dsl, boolean oneAtATime) {
        this.what = what;
        this.rows = rows;
        this.dsl = dsl;
        this.oneAtATime = oneAtATime;
    }

    /** Of rows whose events were published, or discarded. Those that are to be sent, and dead ones, have no age. */
    public static Purge ofPublishedEvents(String schema) {
        OldRows rows = new OldRows(schema, OUTBOX_EVENTS, OUTBOX_EVENTS.PROCESSED_AT);
        return new Purge("published events", rows, new OutboxDsl(schema), false);
    }

    /** Of the records by which consumers know what was applied. */
    public static Purge ofProcessedEvents(String schema) {
        OldRows rows = new OldRows(schema, PROCESSED_EVENTS, PROCESSED_EVENTS.PROCESSED_AT);
        return new Purge("processed events", rows, new OutboxDsl(schema), false);
    }

    /** The same, but it does nothing, or no more, while another of this kind is at work on the table. */
    public Purge oneAtATime() {
        return new Purge(what, rows, dsl, true);
    }

    public static Duration requireRetention(String property, Duration retention) {
        Objects.requireNonNull(retention, property);
        if (retention.compareTo(SHORTEST) < 0 || retention.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    property + " must be between " + SHORTEST + " and " + LONGEST + " (was " + retention + ")");
        }
        return retention;
    }

    /** When the oldest row of some age is from; empty if none is that old. */
    public Optional<Instant> oldest(DataSource dataSource, Duration age) {
        try (Connection connection = dataSource.getConnection()) {
            DSLContext tx = dsl.on(connection);
            return LocalTransaction.run(connection, () -> {
                OldRows.begin(tx);
                return rows.oldest(tx, age);
            });
        } catch (SQLException e) {
            throw new DataAccessException(what + " could not be looked at: " + e.getMessage(), e);
        }
    }

    /** As {@link #run(Connection, Duration)}, on a connection of its own. */
    public long run(DataSource dataSource, Duration retention) {
        try (Connection connection = dataSource.getConnection()) {
            return run(connection, retention);
        } catch (SQLException e) {
            throw new DataAccessException(what + " could not be purged: " + e.getMessage(), e);
        }
    }

    /**
     * Deletes what is older than the retention. When the thread is interrupted, the batch under way is completed and no
     * other begun; the thread stays interrupted.
     *
     * @return how many rows
     */
    public long run(Connection connection, Duration retention) throws SQLException {
        DSLContext tx = dsl.on(connection);
        long purged = 0;
        PurgedBatch last = new PurgedBatch(BATCH_SIZE, null);
        long took = 0;
        while (last.records() == BATCH_SIZE && rest(took)) {
            long began = System.nanoTime();
            Instant newest = last.newest();
            last = LocalTransaction.run(connection, () -> batch(tx, retention, newest));
            took = System.nanoTime() - began;
            purged += last.records();
        }
        return purged;
    }

    private PurgedBatch batch(DSLContext tx, Duration retention, @Nullable Instant from) {
        OldRows.begin(tx);
        return oneAtATime && !rows.tryLock(tx) ? PurgedBatch.NOTHING : rows.delete(tx, retention, from, BATCH_SIZE);
    }

    /** Answers whether to go on. */
    private static boolean rest(long nanos) {
        if (Thread.currentThread().isInterrupted()) {
            return false;
        }
        try {
            TimeUnit.NANOSECONDS.sleep(Math.min(REST * nanos, LONGEST_REST));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
