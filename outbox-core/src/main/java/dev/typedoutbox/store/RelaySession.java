package dev.typedoutbox.store;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.when;

import java.time.Duration;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;

/** Gives a relay's transaction settings of its own, whatever the role's defaults are. */
public final class RelaySession {
    private final Duration idleInTransaction;
    private final Duration statement;

    /**
     * @param idleInTransaction after which a frozen process loses its session; above the longest wait for the broker
     * @param statement the longest that one statement may take
     */
    public RelaySession(Duration idleInTransaction, Duration statement) {
        this.idleInTransaction = idleInTransaction;
        this.statement = statement;
    }

    /**
     * Sets all but the isolation level, for this transaction alone. The search path stays: all tables are named with their
     * schema, and triggers of the application's may need it. Read-only stays too: it is a state to wait for the end of.
     *
     * @return whether the transaction's isolation is as it must be; if not, it has to be begun again with
     *     {@link Isolation#setReadCommitted}
     */
    public boolean setUp(DSLContext tx) {
        String isolation = tx.select(
                        function("current_setting", SQLDataType.VARCHAR, inline("transaction_isolation")),
                        // A mark that is lost in a database crash is a duplicate, never a loss.
                        set("synchronous_commit", "off"),
                        set("idle_in_transaction_session_timeout", millis(idleInTransaction)),
                        set("statement_timeout", millis(statement)),
                        set("lock_timeout", millis(statement)),
                        set("array_nulls", "on"),
                        set("jit", "off"),
                        // Right while statistics are fresh, and ruinous in the hour after a backlog came or went.
                        set("enable_seqscan", "off"),
                        unlimitedTransaction())
                .fetchSingle()
                .value1();
        return isolation.equals(Isolation.READ_COMMITTED);
    }

    private static Field<String> set(String setting, String value) {
        return function("set_config", SQLDataType.VARCHAR, inline(setting), inline(value), inline(true));
    }

    /** PostgreSQL 17 and later can end a transaction for its age alone; older ones do not know the setting. */
    private static Field<String> unlimitedTransaction() {
        Field<String> known =
                function("current_setting", SQLDataType.VARCHAR, inline("transaction_timeout"), inline(true));
        return when(known.isNotNull(), set("transaction_timeout", "0"));
    }

    private static String millis(Duration duration) {
        return Long.toString(duration.toMillis());
    }
}
