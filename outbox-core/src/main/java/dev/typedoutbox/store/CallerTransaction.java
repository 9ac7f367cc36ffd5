package dev.typedoutbox.store;

import dev.typedoutbox.NoTransactionException;
import java.sql.Connection;
import java.sql.SQLException;
import org.jooq.Configuration;
import org.jooq.ConnectionProvider;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DefaultConnectionProvider;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/** Works in the transaction of the caller, and refuses where there is none. */
public final class CallerTransaction {
    private static final int NONE = -1;

    private final OutboxDsl dsl;
    private final String action;
    private final String fix;

    /**
     * Takes the words of its refusals.
     *
     * @param action when a transaction must be open, such as "an event is written"
     * @param fix what the caller should do instead
     */
    public CallerTransaction(OutboxDsl dsl, String action, String fix) {
        this.dsl = dsl;
        this.action = action;
        this.fix = fix;
    }

    /** Runs work that sends at least one statement. */
    public <T> T run(Connection connection, Work<T> work) {
        requireNoAutoCommit(connection);
        return work.run(connection, dsl.on(connection));
    }

    /** Runs work that sends at least one statement. */
    public <T> T run(Configuration configuration, Work<T> work) {
        ConnectionProvider provider = configuration.connectionProvider();
        if (provider instanceof DefaultConnectionProvider) {
            return onConnection(provider, connection -> run(connection, configuration, work));
        }
        Done<T> done = onConnection(
                provider, connection -> new Done<>(run(connection, configuration, work), openSession(connection)));
        requireStillOpen(provider, done.session);
        return done.result;
    }

    private <T> T run(Connection connection, Configuration configuration, Work<T> work) {
        requireNoAutoCommit(connection);
        return work.run(connection, dsl.on(connection, configuration));
    }

    /** A pool whose connections have auto-commit off looks like a transaction, but rolls back when it gets them back. */
    private void requireStillOpen(ConnectionProvider provider, int session) {
        if (session == NONE || onConnection(provider, CallerTransaction::openSession) != session) {
            throw refusal("the connection pool has auto-commit off and has rolled the event back");
        }
    }

    private <T> T onConnection(ConnectionProvider provider, ConnectionFunction<T> function) {
        Connection connection = provider.acquire();
        if (connection == null) {
            throw refusal("the jOOQ configuration has no connection");
        }
        try {
            return function.apply(connection);
        } catch (SQLException e) {
            throw unreadable(e);
        } finally {
            provider.release(connection);
        }
    }

    /** Names the session if a transaction is open on it; known to the driver, no statement is sent. */
    private static int openSession(Connection connection) throws SQLException {
        BaseConnection session = connection.unwrap(BaseConnection.class);
        return session.getTransactionState() == TransactionState.IDLE ? NONE : session.getBackendPID();
    }

    private void requireNoAutoCommit(Connection connection) {
        try {
            if (connection.getAutoCommit()) {
                throw refusal("auto-commit is on");
            }
        } catch (SQLException e) {
            throw unreadable(e);
        }
    }

    private NoTransactionException refusal(String why) {
        return new NoTransactionException(
                "a transaction must be open when " + action + " (was none: " + why + "): " + fix);
    }

    private static DataAccessException unreadable(SQLException e) {
        return new DataAccessException("the state of the caller's transaction could not be read", e);
    }

    /** What is done in the transaction. */
    public interface Work<T> {
        /**
         * Does it.
         *
         * @param connection the transaction's
         * @param outbox finds the outbox's tables in the transaction
         */
        T run(Connection connection, DSLContext outbox);
    }

    private interface ConnectionFunction<T> {
        T apply(Connection connection) throws SQLException;
    }

    private record Done<T>(T result, int session) {}
}
