package dev.typedoutbox.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds how long a connection waits for each answer while work is done on it, and leaves it as it was. A half-open
 * connection answers nothing, not even that a statement took too long.
 */
public final class NetworkTimeout {
    private static final Logger LOG = LoggerFactory.getLogger(NetworkTimeout.class);

    private NetworkTimeout() {}

    public static <T, X extends Exception> T during(
            Connection connection, Duration longest, LocalTransaction.Work<T, X> work) throws SQLException, X {
        int before = connection.getNetworkTimeout();
        set(connection, Math.toIntExact(longest.toMillis()));
        try {
            return work.run();
        } finally {
            set(connection, before);
        }
    }

    private static void set(Connection connection, int millis) {
        try {
            connection.setNetworkTimeout(Runnable::run, millis);
        } catch (SQLException e) {
            LOG.debug("the connection has ended, and its network time-out with it", e);
        }
    }
}
