package dev.typedoutbox.cleanup;

import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.store.Purge;
import java.time.Duration;
import java.util.Objects;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;

/**
 * The records by which {@link dev.typedoutbox.consumer.IdempotentConsumer} knows what was applied. They stay until they are
 * purged, and nothing does so by itself: run a {@link Cleanup}, or call {@link #purge()} now and then, such as once a day, in
 * one or in all instances of the application.
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
 *
 * @since 0.1.0
 */
public final class ProcessedEvents {
    /** How long records are kept unless told otherwise: 14 days. */
    public static final Duration DEFAULT_RETENTION = Duration.ofDays(14);

    private final DataSource dataSource;
    private final Purge records;

    private ProcessedEvents(DataSource dataSource, String schema) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
        this.records = Purge.ofProcessedEvents(schema);
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
     * @throws IllegalArgumentException if the name is no schema's: see {@link OutboxSchema#requireName}
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
     * batches of 5,000, each in a transaction of its own, with rests of twice its time, at most a second, between them. A
     * record's age counts from the start of the transaction that applied the event.
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
        return records.run(dataSource, Purge.requireRetention("retention", retention));
    }
}
