package dev.typedoutbox.cleanup;

import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.store.Purge;
import java.time.Duration;
import java.util.Objects;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;

/**
 * The rows of events that were published, or discarded. They stay until they are purged, and nothing does so by itself: run
 * a {@link Cleanup}, or call {@link #purge()} now and then, such as once a day, in one or in all instances of the
 * application. Events that are still to be sent, and dead letters, are never purged, however old they are.
 *
 * <p>Safe for use by several threads, and several processes: purges at the same time share the work.
 *
 * @since 0.1.0
 */
public final class PublishedEvents {
    /** How long rows are kept unless told otherwise: 7 days. */
    public static final Duration DEFAULT_RETENTION = Duration.ofDays(7);

    private final DataSource dataSource;
    private final Purge rows;

    private PublishedEvents(DataSource dataSource, String schema) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
        this.rows = Purge.ofPublishedEvents(schema);
    }

    /**
     * The rows in schema {@value OutboxSchema#DEFAULT_SCHEMA}.
     *
     * @param dataSource the outbox's database; the role needs the rights to select and delete, and to update some column,
     *     since rows are locked
     * @return the rows
     */
    public static PublishedEvents create(DataSource dataSource) {
        return create(dataSource, OutboxSchema.DEFAULT_SCHEMA);
    }

    /**
     * The rows in the named schema.
     *
     * @param dataSource the outbox's database; the role needs the rights to select and delete, and to update some column,
     *     since rows are locked
     * @param schema as the database spells it, capitals kept
     * @return the rows
     * @throws IllegalArgumentException if the name is no schema's: see {@link OutboxSchema#requireName}
     */
    public static PublishedEvents create(DataSource dataSource, String schema) {
        return new PublishedEvents(dataSource, schema);
    }

    /**
     * Deletes the rows of events that were published longer ago than {@link #DEFAULT_RETENTION}.
     *
     * @return how many
     * @throws DataAccessException if the database failed; the batches before are committed
     * @see #purge(Duration)
     */
    public long purge() {
        return purge(DEFAULT_RETENTION);
    }

    /**
     * Deletes the rows of events that were published longer ago than the retention by the database's clock. Reads the table
     * once, in batches of up to 5,000 rows that are deleted, each in a transaction of its own, with rests of twice its time,
     * at most a second, between them. There is no index for it, which each publishing would have to pay for.
     *
     * <p>A purge waits neither for other purges nor for relays, nor they for it: rows that somebody has locked are left to
     * the next one. A writer never waits for it.
     *
     * <p>When the thread is interrupted, the batch under way is completed and no other begun; the thread stays interrupted.
     *
     * @param retention how long rows are kept; 1 minute to 36,500 days
     * @return how many were deleted, by this purge and not by others
     * @throws IllegalArgumentException if the retention is shorter or longer than that
     * @throws DataAccessException if the database failed; the batches before are committed
     */
    public long purge(Duration retention) {
        return rows.run(dataSource, Purge.requireRetention("retention", retention));
    }
}
