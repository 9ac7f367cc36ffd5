package dev.typedoutbox.consumer;

import dev.typedoutbox.OutboxEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import org.jooq.exception.DataAccessException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies an event within a savepoint of the caller's transaction. So a failure leaves nothing behind, although the caller
 * may go on after it and commit.
 */
final class EventSavepoint {
    private static final Logger LOG = LoggerFactory.getLogger(EventSavepoint.class);

    /** PostgreSQL does not know the savepoint, because its transaction has ended and another has begun. */
    private static final String NO_SUCH_SAVEPOINT = "3B001";

    private EventSavepoint() {}

    static Applied run(Connection connection, OutboxEvent event, Work work) {
        try {
            Savepoint savepoint = connection.setSavepoint();
            boolean kept = false;
            try {
                Applied applied = work.run();
                release(connection, savepoint, event);
                kept = true;
                return applied;
            } finally {
                if (!kept) {
                    rollBack(connection, savepoint);
                }
            }
        } catch (SQLException e) {
            throw new DataAccessException("event " + event.id() + " could not be applied: " + e.getMessage(), e);
        }
    }

    private static void release(Connection connection, Savepoint savepoint, OutboxEvent event) throws SQLException {
        try {
            connection.releaseSavepoint(savepoint);
        } catch (SQLException e) {
            if (NO_SUCH_SAVEPOINT.equals(e.getSQLState())) {
                throw HandlerCall.notOpen(event, "ended", e);
            }
            throw e;
        }
    }

    /** Removes the savepoint, too, or the savepoints of a caller who goes on after many failures would pile up. */
    private static void rollBack(Connection connection, Savepoint savepoint) {
        try {
            connection.rollback(savepoint);
            connection.releaseSavepoint(savepoint);
        } catch (SQLException e) {
            LOG.debug("savepoint could not be rolled back; its transaction is aborted or has ended", e);
        }
    }

    /** What is done within the savepoint. */
    interface Work {
        Applied run() throws SQLException;
    }
}
