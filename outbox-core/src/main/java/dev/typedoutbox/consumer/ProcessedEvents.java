package dev.typedoutbox.consumer;

import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.store.Isolation;
import dev.typedoutbox.store.LocalTransaction;
import dev.typedoutbox.store.OutboxDsl;
import dev.typedoutbox.store.ProcessedStore;
import dev.typedoutbox.store.PurgedBatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/**
 * The records by which {@link IdempotentConsumer} knows what was applied. They stay until they are purged; nothing does so
 * by itself. Call {@link #purge()} now and then, such as once a day, in one or in all instances of the application.
 *
 * <p>An event whose record is gone is new: when its message comes again, it is <em>applied again</em>. So keep records longer
 * than the longest time for which a message can come back:
 *
 * <ul>
 *   <li>not acknowledged, since its consumer is off or was stopped before it could;
 *   <li>in a dead-letter queue that somebody replays;
 *   <li>from the outbox, when an operator retries a dead letter, or after its database was restored from a backup.
 * </ul>
 *
 * <p>Safe for use by several threads, and several processes: purges at the same time share the work.
 */
public final class ProcessedEvents {
    /** How long records are kept unless told otherwise: 14 days. */
    public static final Duration DEFAULT_RETENTION = Duration.ofDays(14);

    private static final Duration SHORTEST = Duration.ofMinutes(1);
    private static final Duration LONGEST = Duration.ofDays(36_500);
    private static final int BATCH_SIZE = 5_000;

    private final DataSource dataSource;
    private final OutboxDsl dsl;

    private ProcessedEvents(DataSource dataSource, String schema) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
        this.dsl = new OutboxDsl(schema);
    }

    /**
     * The records in schema {@value OutboxSchema#DEFAULT_SCHEMA}.
     *
     * @param dataSource the consumers' database; the role needs the rights to select, update and delete, since rows are
     *     locked
     * @return the records
     */
    public static ProcessedEvents create(DataSource dataSource) {
        return create(dataSource, OutboxSchema.DEFAULT_SCHEMA);
    }

    /**
     * The records in the named schema.
     *
     * @param dataSource the consumers' database; the role needs the rights to select, update and delete, since rows are
     *     locked
     * @param schema as the database spells it, capitals kept
     * @return the records
     * @throws IllegalArgumentException if the schema is blank
     */
    public static ProcessedEvents create(DataSource dataSource, String schema) {
        return new ProcessedEvents(dataSource, schema);
    }

    /**
     * Deletes the records of all consumers that are older than {@link #DEFAULT_RETENTION}.
     *
     * @return how many
     * @throws DataAccessException if the database failed; the batches before are committed
     * @see #purge(Duration)
     */
    public long purge() {
        return purge(DEFAULT_RETENTION);
    }

    /**
     * Deletes the records of all consumers that are older than the retention by the database's clock, the oldest first, in
     * batches of 5,000, each in a transaction of its own. A record's age counts from the start of the
     * transaction that applied the event.
     *
     * <p>A purge waits neither for other purges nor for consumers: records that somebody has locked are left to the next
     * one. A consumer waits only when an event comes again whose record is being deleted, until that batch is committed.
     *
     * <p>When the thread is interrupted, the batch under way is completed and no other begun; the thread stays interrupted.
     *
     * @param retention how long records are kept; 1 minute to 36,500 days
     * @return how many were deleted, by this purge and not by others
     * @throws IllegalArgumentException if the retention is shorter or longer than that
     * @throws DataAccessException if the database failed; the batches before are committed
     */
    public long purge(Duration retention) {
        Objects.requireNonNull(retention, "retention");
        if (retention.compareTo(SHORTEST) < 0 || retention.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "retention must be between " + SHORTEST + " and " + LONGEST + " (was " + retention + ")");
        }
        try (Connection connection = dataSource.getConnection()) {
            return purge(connection, retention);
        } catch (SQLException e) {
            throw new DataAccessException("processed events could not be purged: " + e.getMessage(), e);
        }
    }

    private long purge(Connection connection, Duration retention) throws SQLException {
        DSLContext tx = dsl.on(connection);
        long purged = 0;
        PurgedBatch last = new PurgedBatch(BATCH_SIZE, null);
        while (last.records() == BATCH_SIZE && !Thread.currentThread().isInterrupted()) {
            Instant newest = last.newest();
            last = LocalTransaction.run(connection, () -> purgeBatch(tx, retention, newest));
            purged += last.records();
        }
        return purged;
    }

    private static PurgedBatch purgeBatch(DSLContext tx, Duration retention, @Nullable Instant from) {
        Isolation.setReadCommitted(tx);
        ProcessedStore.preparePurge(tx);
        return ProcessedStore.purge(tx, retention, from, BATCH_SIZE);
    }
}
