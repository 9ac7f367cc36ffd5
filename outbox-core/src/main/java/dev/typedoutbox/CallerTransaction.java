package dev.typedoutbox;

import dev.typedoutbox.store.OutboxDsl;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;
import org.jooq.Configuration;
import org.jooq.ConnectionProvider;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DefaultConnectionProvider;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/** Works in the transaction of the caller, and refuses where there is none. */
final class CallerTransaction {
    private static final String FIX = ": write the event in the transaction that writes the business data";
    private static final int NONE = -1;

    private final OutboxDsl dsl;

    CallerTransaction(OutboxDsl dsl) {
        this.dsl = dsl;
    }

    /** Runs work that sends at least one statement. */
    void run(Connection connection, Consumer<DSLContext> work) {
        requireNoAutoCommit(connection);
        work.accept(dsl.on(connection));
    }

    /** Runs work that sends at least one statement. */
    void run(Configuration configuration, Consumer<DSLContext> work) {
        ConnectionProvider provider = configuration.connectionProvider();
        int session = onConnection(provider, connection -> {
            requireNoAutoCommit(connection);
            work.accept(dsl.on(connection, configuration));
            return provider instanceof DefaultConnectionProvider ? NONE : openSession(connection);
        });
        if (!(provider instanceof DefaultConnectionProvider)) {
            requireStillOpen(provider, session);
        }
    }

    /** A pool whose connections have auto-commit off looks like a transaction, but rolls back when it gets them back. */
    private static void requireStillOpen(ConnectionProvider provider, int session) {
        if (session == NONE || onConnection(provider, CallerTransaction::openSession) != session) {
            throw new NoTransactionException("a transaction must be open when an event is written (was none: the"
                    + " connection pool has auto-commit off and has rolled the event back)" + FIX);
        }
    }

    private static int onConnection(ConnectionProvider provider, ConnectionFunction function) {
        Connection connection = provider.acquire();
        if (connection == null) {
            throw new NoTransactionException("a transaction must be open when an event is written (was none: the jOOQ"
                    + " configuration has no connection)" + FIX);
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

    private static void requireNoAutoCommit(Connection connection) {
        try {
            if (connection.getAutoCommit()) {
                throw new NoTransactionException(
                        "a transaction must be open when an event is written (was none: auto-commit is on)" + FIX);
            }
        } catch (SQLException e) {
            throw unreadable(e);
        }
    }

    private static DataAccessException unreadable(SQLException e) {
        return new DataAccessException("the state of the caller's transaction could not be read", e);
    }

    private interface ConnectionFunction {
        int apply(Connection connection) throws SQLException;
    }
}
