package dev.typedoutbox.relay;

import dev.typedoutbox.store.DatabaseSession;
import dev.typedoutbox.store.Isolation;
import dev.typedoutbox.store.LocalTransaction;
import dev.typedoutbox.store.TransactionSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jooq.DSLContext;
import org.jooq.impl.DefaultConnectionProvider;

/**
 * Begins and ends the relay's transactions, each with the relay's own settings, whatever the role's defaults are. Used by one
 * thread.
 */
final class RelayTransaction {
    private final DefaultConnectionProvider current = new DefaultConnectionProvider(null);
    private final DSLContext tx;
    private final TransactionSettings settings;
    private boolean otherIsolationByDefault;

    RelayTransaction(Queries queries) {
        this.tx = queries.dsl().on(current);
        this.settings = queries.settings();
    }

    <T> T run(Connection connection, BiFunction<DSLContext, DatabaseSession, T> work) throws SQLException {
        current.setConnection(connection);
        try {
            return LocalTransaction.run(connection, () -> work.apply(tx, begin(connection)));
        } finally {
            current.setConnection(null);
        }
    }

    private DatabaseSession begin(Connection connection) throws SQLException {
        if (otherIsolationByDefault) {
            Isolation.setReadCommitted(tx);
        }
        Optional<DatabaseSession> begun = settings.setUp(tx);
        if (begun.isPresent()) {
            return begun.get();
        }
        otherIsolationByDefault = true;
        connection.rollback();
        Isolation.setReadCommitted(tx);
        return settings.setUp(tx).orElseThrow();
    }
}
