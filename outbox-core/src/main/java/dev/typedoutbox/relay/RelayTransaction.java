package dev.typedoutbox.relay;

import dev.typedoutbox.store.Isolation;
import dev.typedoutbox.store.LocalTransaction;
import dev.typedoutbox.store.OutboxDsl;
import dev.typedoutbox.store.RelaySession;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;
import org.jooq.DSLContext;

/** Begins and ends the relay's transactions, each with the relay's own settings, whatever the role's defaults are. */
final class RelayTransaction {
    private final OutboxDsl dsl;
    private final RelaySession session;
    private boolean otherIsolationByDefault;

    RelayTransaction(RelayConfig config) {
        this.dsl = new OutboxDsl(config.schema());
        this.session = new RelaySession(config.idleInTransactionTimeout(), config.statementTimeout());
    }

    <T> T run(Connection connection, Function<DSLContext, T> work) throws SQLException {
        return LocalTransaction.run(connection, () -> {
            DSLContext tx = dsl.on(connection);
            begin(connection, tx);
            return work.apply(tx);
        });
    }

    private void begin(Connection connection, DSLContext tx) throws SQLException {
        if (otherIsolationByDefault) {
            Isolation.setReadCommitted(tx);
        }
        if (!session.setUp(tx)) {
            otherIsolationByDefault = true;
            connection.rollback();
            Isolation.setReadCommitted(tx);
            session.setUp(tx);
        }
    }
}
