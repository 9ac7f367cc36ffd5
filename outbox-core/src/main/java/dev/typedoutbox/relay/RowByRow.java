package dev.typedoutbox.relay;

import dev.typedoutbox.relay.Verdicts.Refusal;
import dev.typedoutbox.store.OutboxStore;
import dev.typedoutbox.store.PendingEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.jooq.exception.DataAccessException;

/**
 * Settles a batch whose settlement the database refused because of what is in a row, as a trigger or a constraint of the
 * application's own may do. Each row gets a transaction of its own, so that one of them cannot have the others sent again
 * and again; the one at fault counts an attempt.
 */
final class RowByRow {
    /**
     * Connection, authorisation, state of the transaction, serialisation, resources, limits, locks, operator, system and
     * internal errors (PostgreSQL's appendix A). All others may come from a trigger, which can raise what it likes.
     */
    private static final Set<String> NOT_OF_ROWS = Set.of("08", "25", "28", "40", "53", "54", "55", "57", "58", "XX");

    private final OutboxStore store;
    private final RelayConfig config;
    private final RelayTransaction transaction;
    private final Connection connection;
    private final Verdicts settled = new Verdicts();
    private int dead;
    private int unchanged;

    RowByRow(OutboxStore store, RelayConfig config, RelayTransaction transaction, Connection connection) {
        this.store = store;
        this.config = config;
        this.transaction = transaction;
        this.connection = connection;
    }

    static boolean isFaultOfARow(Exception failure) {
        String state = sqlCause(failure).getSQLState();
        return state != null && state.length() == 5 && !NOT_OF_ROWS.contains(state.substring(0, 2));
    }

    static String reason(Exception failure) {
        return String.valueOf(sqlCause(failure).getMessage());
    }

    private static SQLException sqlCause(Exception failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException e) {
                return e;
            }
        }
        return new SQLException(failure);
    }

    /**
     * Settles a batch.
     *
     * @param fetched how many events it took, sent or not
     */
    BatchResult settle(Verdicts verdicts, int fetched) throws SQLException {
        for (PendingEvent event : verdicts.published()) {
            mark(event);
        }
        for (Refusal refusal : verdicts.refusals()) {
            record(refusal);
        }
        int unknown = verdicts.unknown() + unchanged;
        return settled.result(fetched - unknown, dead).withUnknown(unknown);
    }

    private void mark(PendingEvent event) throws SQLException {
        try {
            inTransaction(settlement -> settlement.settle(Verdicts.published(event)));
            settled.add(event, PublishOutcome.confirmed());
        } catch (SQLException | DataAccessException e) {
            if (!isFaultOfARow(e)) {
                throw e;
            }
            record(new Refusal(
                    event,
                    "it was published, but could not be "
                            + config.publishedRows().done() + ": " + reason(e)));
        }
    }

    /** Where a row takes no change at all, nothing can be recorded of it, and it is sent again. */
    private void record(Refusal refusal) throws SQLException {
        try {
            dead += inTransaction(settlement -> settlement.record(List.of(refusal)));
            settled.add(refusal.event(), PublishOutcome.refused(refusal.reason()));
        } catch (SQLException | DataAccessException e) {
            if (!isFaultOfARow(e)) {
                throw e;
            }
            RelayLog.uncountable(refusal, reason(e));
            unchanged++;
        }
    }

    private int inTransaction(ToIntFunction<Settlement> work) throws SQLException {
        RelayLog log = new RelayLog();
        int result =
                transaction.run(connection, (tx, session) -> work.applyAsInt(new Settlement(store, config, tx, log)));
        log.write();
        return result;
    }
}
