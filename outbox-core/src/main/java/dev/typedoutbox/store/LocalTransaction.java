package dev.typedoutbox.store;

import java.sql.Connection;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs work in a transaction on a connection, and leaves the connection's auto-commit as it was. */
public final class LocalTransaction {
    private static final Logger LOG = LoggerFactory.getLogger(LocalTransaction.class);

    private LocalTransaction() {}

    public static <T, X extends Exception> T run(Connection connection, Work<T, X> work) throws SQLException, X {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(false);
        boolean committed = false;
        try {
            T result = work.run();
            connection.commit();
            committed = true;
            connection.setAutoCommit(autoCommit);
            return result;
        } finally {
            if (!committed) {
                rollBack(connection, autoCommit);
            }
        }
    }

    private static void rollBack(Connection connection, boolean autoCommit) {
        try {
            connection.rollback();
            connection.setAutoCommit(autoCommit);
        } catch (SQLException e) {
            LOG.debug("transaction could not be rolled back; the database does so when the session ends", e);
        }
    }

    /** What is done in the transaction. */
    public interface Work<T, X extends Exception> {
        T run() throws SQLException, X;
    }
}
