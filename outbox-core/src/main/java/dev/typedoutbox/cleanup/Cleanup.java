package dev.typedoutbox.cleanup;

import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.store.Purge;
import java.time.Duration;
import java.util.Objects;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/**
 * Deletes what was published or applied long ago, now and then, so that the tables do not grow for ever: the rows of
 * {@link PublishedEvents} and the records of {@link ProcessedEvents}. Events that are still to be sent, and dead letters,
 * are never deleted.
 *
 * <p>May run in every instance of an application: at each table one of them works at a time, and the others leave it to
 * that one. It counts by the times in the rows, so nothing is missed when instances come and go. A run reads the whole of
 * {@code outbox_events}, unless a few pages by chance, where the table is large, hold nothing that is old. While the
 * database is away, or refuses, it waits, tells so once in the log, and goes on by itself.
 *
 * <p>Safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class Cleanup implements AutoCloseable {
    /** How long to wait from one run to the next unless told otherwise: 1 hour. */
    public static final Duration DEFAULT_INTERVAL = Duration.ofHours(1);

    private static final Duration SHORTEST_INTERVAL = Duration.ofSeconds(1);
    private static final Duration LONGEST_INTERVAL = Duration.ofDays(7);

    private final CleanupSettings settings;
    private @Nullable CleanupSchedule running;

    private Cleanup(CleanupSettings settings) {
        this.settings = settings;
    }

    /**
     * Begins a cleanup with the defaults.
     *
     * @param dataSource the database; the role needs the rights to select and delete, and to update some column, since
     *     rows are locked. One connection is taken for the time of a run
     * @return a builder
     */
    public static Builder builder(DataSource dataSource) {
        return new Builder(dataSource);
    }

    /**
     * Starts its thread and returns. The first run begins at once. The thread is a daemon: it does not keep the JVM alive.
     * The database need not be there. A cleanup that was closed can be started again.
     *
     * @throws IllegalStateException if it runs already
     */
    public synchronized void start() {
        if (running != null) {
            throw new IllegalStateException("cleanup must be closed to be started (was running)");
        }
        running = CleanupSchedule.start(settings);
    }

    /**
     * Does one run on the calling thread, whether or not the cleanup is started. Interrupted, it completes the batch under
     * way; the thread stays interrupted.
     *
     * @return what was deleted, by this run and not by others
     * @throws DataAccessException if the database failed at one of the tables; what was deleted stays deleted
     */
    public CleanupResult runOnce() {
        return new CleanupWork(settings).run();
    }

    /**
     * Stops: the batch under way is completed and no other begun. One that does not end within 5 s is cut, and the database
     * rolls it back. Returns after 7 s at the latest. Does nothing when stopped already.
     */
    @Override
    public synchronized void close() {
        CleanupSchedule ended = running;
        running = null;
        if (ended != null) {
            ended.close();
        }
    }

    /** Collects the settings of a {@link Cleanup}. Not safe for use by several threads. */
    public static final class Builder {
        private final DataSource dataSource;
        private String schema = OutboxSchema.DEFAULT_SCHEMA;
        private @Nullable Duration publishedEvents = PublishedEvents.DEFAULT_RETENTION;
        private @Nullable Duration processedEvents = ProcessedEvents.DEFAULT_RETENTION;
        private Duration every = DEFAULT_INTERVAL;

        private Builder(DataSource dataSource) {
            this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
        }

        /**
         * Sets the schema that holds the tables. Default: {@value OutboxSchema#DEFAULT_SCHEMA}.
         *
         * @param name as the database spells it, capitals kept
         * @return this builder
         * @throws IllegalArgumentException if it is no schema's: see {@link OutboxSchema#requireName}
         */
        public Builder schema(String name) {
            this.schema = OutboxSchema.requireName(name);
            return this;
        }

        /**
         * Sets how long the rows of published events are kept. Default: 7 days.
         *
         * @param keep 1 minute to 36,500 days
         * @return this builder
         * @throws IllegalArgumentException if out of bounds
         */
        public Builder publishedEvents(Duration keep) {
            this.publishedEvents = Purge.requireRetention("publishedEvents", keep);
            return this;
        }

        /**
         * Sets how long the records of applied events are kept. Default: 14 days. Longer than the longest time for which a
         * message can come back, or it is applied again: see {@link ProcessedEvents}.
         *
         * @param keep 1 minute to 36,500 days
         * @return this builder
         * @throws IllegalArgumentException if out of bounds
         */
        public Builder processedEvents(Duration keep) {
            this.processedEvents = Purge.requireRetention("processedEvents", keep);
            return this;
        }

        /**
         * Leaves the rows of published events alone, as where the role has no rights on them.
         *
         * @return this builder
         */
        public Builder withoutPublishedEvents() {
            this.publishedEvents = null;
            return this;
        }

        /**
         * Leaves the records of applied events alone, as where the role has no rights on them.
         *
         * @return this builder
         */
        public Builder withoutProcessedEvents() {
            this.processedEvents = null;
            return this;
        }

        /**
         * Sets how long to wait from the end of one run to the next. Default: 1 hour.
         *
         * @param interval 1 s to 7 days
         * @return this builder
         * @throws IllegalArgumentException if out of bounds
         */
        public Builder every(Duration interval) {
            Objects.requireNonNull(interval, "every");
            if (interval.compareTo(SHORTEST_INTERVAL) < 0 || interval.compareTo(LONGEST_INTERVAL) > 0) {
                throw new IllegalArgumentException("every must be between " + SHORTEST_INTERVAL + " and "
                        + LONGEST_INTERVAL + " (was " + interval + ")");
            }
            this.every = interval;
            return this;
        }

        /**
         * Makes the cleanup, not started.
         *
         * @return the cleanup
         * @throws IllegalArgumentException if it would have nothing to do
         */
        public Cleanup build() {
            if (publishedEvents == null && processedEvents == null) {
                throw new IllegalArgumentException(
                        "publishedEvents or processedEvents must be cleaned up (was neither)");
            }
            return new Cleanup(new CleanupSettings(dataSource, schema, publishedEvents, processedEvents, every));
        }
    }
}
