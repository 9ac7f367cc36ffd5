package dev.typedoutbox.store;

import dev.typedoutbox.NoTransactionException;
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
    public void run(Connection connection, Consumer<DSLContext> work) {
        requireNoAutoCommit(connection);
        work.accept(dsl.on(connection));
    }

    /** Runs work that sends at least one statement. */
    public void run(Configuration configuration, Consumer<DSLContext> work) {
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
    private void requireStillOpen(ConnectionProvider provider, int session) {
        if (session == NONE || onConnection(provider, CallerTransaction::openSession) != session) {
            throw refusal("the connection pool has auto-commit off and has rolled the event back");
        }
    }

    private int onConnection(ConnectionProvider provider, ConnectionFunction function) {
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

    private interface ConnectionFunction {
        int apply(Connection connection) throws SQLException;
    }
}
