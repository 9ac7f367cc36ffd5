package dev.typedoutbox.relay;

import dev.typedoutbox.store.DatabaseSession;
import dev.typedoutbox.store.Isolation;
import dev.typedoutbox.store.LocalTransaction;
import dev.typedoutbox.store.OutboxDsl;
import dev.typedoutbox.store.TransactionSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jooq.DSLContext;
import org.jooq.impl.DefaultConnectionProvider;

/**
 * Begins and ends the relay's transactions, each with the relay's own settings, whatever the role's defaults are. Used by one
 * thread.
 */
final class RelayTransaction {
    /** For a pause of the process, or a broker that closes a channel while the time runs out. */
    private static final Duration LEAST_MARGIN = Duration.ofSeconds(2);

    private final DefaultConnectionProvider current = new DefaultConnectionProvider(null);
    private final DSLContext tx;
    private final TransactionSettings settings;
    private boolean otherIsolationByDefault;

    RelayTransaction(RelayConfig config) {
        OutboxDsl dsl = new OutboxDsl(config.schema());
        this.tx = dsl.on(current);
        this.settings = new TransactionSettings(dsl, idleInTransactionTimeout(config), config.statementTimeout());
    }

    /**
     * When the database may end the session of a process that no longer moves; a live one is never that slow: no wave begins
     * later than one confirm time-out after the first.
     */
    private static Duration idleInTransactionTimeout(RelayConfig config) {
        Duration confirm = config.confirmTimeout();
        return confirm.multipliedBy(2).plus(confirm.compareTo(LEAST_MARGIN) > 0 ? confirm : LEAST_MARGIN);
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
