package dev.typedoutbox.consumer;

import dev.typedoutbox.store.LocalTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs work in a transaction of the consumer's own, and tells a database that is lost from work that failed. */
final class OwnTransaction {
    private static final Logger LOG = LoggerFactory.getLogger(IdempotentConsumer.class);
    private static final int LONGEST_CHECK_SECONDS = 5;

    private final DataSource dataSource;

    OwnTransaction(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Names what is applied for the words of a failure. */
    <T> T run(String what, Work<T> work) {
        AtomicBoolean sessionEnded = new AtomicBoolean();
        try (Connection connection = connect(what)) {
            return runOn(connection, work, sessionEnded);
        } catch (SQLException | RuntimeException e) {
            // Not before the connection was given back: the pool may have no other.
            if (sessionEnded.get() && !isReachable()) {
                throw new DatabaseLostException(notApplied(what, e), e);
            }
            if (e instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            throw new DataAccessException(notApplied(what, e), e);
        }
    }

    private static <T> T runOn(Connection connection, Work<T> work, AtomicBoolean sessionEnded) throws SQLException {
        try {
            return LocalTransaction.run(connection, () -> work.run(connection));
        } catch (SQLException | RuntimeException e) {
            sessionEnded.set(connection.isClosed());
            throw e;
        }
    }

    /** An event whose work ends its session, each time, must not look like a database that is away. */
    private boolean isReachable() {
        // A pool gives nothing to a thread that is interrupted, as the event's handler may have left it.
        boolean interrupted = Thread.interrupted();
        try (Connection connection = dataSource.getConnection()) {
            return connection.isValid(LONGEST_CHECK_SECONDS);
        } catch (SQLException | RuntimeException e) {
            LOG.debug("no connection to the database", e);
            return false;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Connection connect(String what) {
        try {
            return dataSource.getConnection();
        } catch (SQLException | RuntimeException e) {
            throw new DatabaseLostException(notApplied(what, e), e);
        }
    }

    private static String notApplied(String what, Exception cause) {
        return what + " could not be applied: " + cause.getMessage();
    }

    /** What is done in the transaction. */
    interface Work<T> {
        T run(Connection connection) throws SQLException;
    }
}
