package dev.typedoutbox.cleanup;

import dev.typedoutbox.store.BoundedConnections;
import dev.typedoutbox.store.Purge;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/** Deletes what is old, on one connection. Used by one thread, except {@link #abort}. */
final class CleanupWork {
    /** Time for the database's own bound on a statement to be felt before the connection is given up. */
    private static final Duration LONGEST_ANSWER = Purge.LONGEST_STATEMENT.plusSeconds(5);

    private final CleanupSettings settings;
    private final Purge publishedEvents;
    private final Purge processedEvents;
    private final BoundedConnections connections;

    CleanupWork(CleanupSettings settings) {
        this.settings = settings;
        this.publishedEvents = Purge.ofPublishedEvents(settings.schema());
        this.processedEvents = Purge.ofProcessedEvents(settings.schema());
        this.connections = new BoundedConnections(settings.dataSource(), LONGEST_ANSWER);
    }

    CleanupResult run() {
        try {
            return connections.call(this::runOn);
        } catch (SQLException e) {
            throw new DataAccessException("cleanup failed: " + e.getMessage(), e);
        }
    }

    /** What fails at the first table does not keep the second from being cleaned up. */
    private CleanupResult runOn(Connection connection) throws SQLException {
        long published;
        try {
            published = purge(publishedEvents, connection, settings.publishedEvents());
        } catch (SQLException | DataAccessException e) {
            purgeProcessedEventsAfter(e, connection);
            throw e;
        }
        return new CleanupResult(published, purgeProcessedEvents(connection));
    }

    private void purgeProcessedEventsAfter(Exception failure, Connection connection) {
        try {
            purgeProcessedEvents(connection);
        } catch (SQLException | DataAccessException e) {
            failure.addSuppressed(e);
        }
    }

    private long purgeProcessedEvents(Connection connection) throws SQLException {
        return purge(processedEvents, connection, settings.processedEvents());
    }

    private static long purge(Purge purge, Connection connection, @Nullable Duration keep) throws SQLException {
        return keep == null ? 0 : purge.runAlone(connection, keep);
    }

    /** Cuts the connection under a batch that does not end by itself, as when the database no longer answers. */
    void abort() {
        connections.abort();
    }
}
