package dev.typedoutbox.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import org.jooq.Transaction;
import org.jooq.TransactionContext;
import org.jooq.TransactionProvider;
import org.jooq.exception.DataAccessException;

/**
 * Makes each jOOQ transaction a savepoint of the one that is open on a connection. jOOQ's own provider takes the connection
 * for its own and would commit ours.
 */
final class NestedTransactions implements TransactionProvider {
    private final Connection connection;

    NestedTransactions(Connection connection) {
        this.connection = connection;
    }

    @Override
    public void begin(TransactionContext context) {
        attempt(() -> context.transaction(new Nested(connection.setSavepoint())));
    }

    @Override
    public void commit(TransactionContext context) {
        attempt(() -> connection.releaseSavepoint(savepoint(context)));
    }

    @Override
    public void rollback(TransactionContext context) {
        attempt(() -> connection.rollback(savepoint(context)));
    }

    private static Savepoint savepoint(TransactionContext context) {
        return ((Nested) context.transaction()).savepoint();
    }

    private static void attempt(Statement statement) {
        try {
            statement.run();
        } catch (SQLException e) {
            throw new DataAccessException("nested transaction failed: " + e.getMessage(), e);
        }
    }

    private record Nested(Savepoint savepoint) implements Transaction {}

    private interface Statement {
        void run() throws SQLException;
    }
}
