package dev.typedoutbox.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a connection for each piece of work, and lets it wait for no answer longer than a bound. Used by one thread, except
 * {@link #abort}.
 */
public final class BoundedConnections {
    private static final Logger LOG = LoggerFactory.getLogger(BoundedConnections.class);

    private final DataSource dataSource;
    private final Duration longestAnswer;
    private volatile @Nullable Connection inUse;
    private volatile boolean aborted;

    /**
     * @param longestAnswer more than the database's own bound on a statement, so that this is felt first and the connection
     *     stays
     */
    public BoundedConnections(DataSource dataSource, Duration longestAnswer) {
        this.dataSource = dataSource;
        this.longestAnswer = longestAnswer;
    }

    public <T> T call(Work<T> work) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            try {
                inUse = connection;
                if (aborted) {
                    throw new SQLException("the connection came after the work was given up");
                }
                return NetworkTimeout.during(connection, longestAnswer, () -> work.on(connection));
            } finally {
                // Before it goes back to its pool, which may give it to somebody else.
                inUse = null;
            }
        }
    }

    /**
     * Cuts the connection under work that does not end by itself, as when the database no longer answers, and lets no other
     * begin.
     */
    public void abort() {
        aborted = true;
        Connection connection = inUse;
        if (connection != null) {
            try {
                connection.abort(Runnable::run);
            } catch (SQLException e) {
                LOG.debug("connection could not be aborted", e);
            }
        }
    }

    /** What is done on a connection. */
    public interface Work<T> {
        T on(Connection connection) throws SQLException;
    }
}
