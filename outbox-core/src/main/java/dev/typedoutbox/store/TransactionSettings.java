package dev.typedoutbox.store;

import static org.jooq.impl.DSL.epoch;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;
import static org.jooq.impl.DSL.when;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** Gives a relay's transaction settings of its own, whatever the role's defaults are. */
public final class TransactionSettings {
    /** Where a pooler shares sessions between processes, each has a mark of its own. */
    private static final String KNOWN_SINCE =
            "typed_outbox.known_since_" + UUID.randomUUID().toString().replace('-', '_');

    private static final Field<String> ISOLATION = setting("transaction_isolation");
    private static final Field<String> REMEMBERED = setting(KNOWN_SINCE);
    private static final Field<String> SERVER = epoch(function("pg_postmaster_start_time", SQLDataType.INSTANT))
            .cast(SQLDataType.VARCHAR)
            .as("server");
    private static final Field<Boolean> STANDBY =
            function("pg_is_in_recovery", SQLDataType.BOOLEAN).as("standby");

    private final RenderedQuery query;

    /**
     * @param dsl of the transactions
     * @param idleInTransaction after which a frozen process loses its session; above the longest wait for the broker
     * @param statement the longest that one statement may take
     */
    public TransactionSettings(OutboxDsl dsl, Duration idleInTransaction, Duration statement) {
        this.query = new RenderedQuery(
                dsl,
                select(
                        ISOLATION,
                        SERVER,
                        STANDBY,
                        REMEMBERED,
                        // A mark that is lost in a database crash is a duplicate, never a loss.
                        LocalSetting.of("synchronous_commit", "off"),
                        LocalSetting.of("idle_in_transaction_session_timeout", idleInTransaction),
                        LocalSetting.of("statement_timeout", statement),
                        LocalSetting.of("lock_timeout", statement),
                        LocalSetting.of("array_nulls", "on"),
                        LocalSetting.of("jit", "off"),
                        // No value changes the plan, and planning takes longer than what is planned for a few events.
                        LocalSetting.of("plan_cache_mode", "force_generic_plan"),
                        // Right while statistics are fresh, and ruinous in the hour after a backlog came or went.
                        LocalSetting.of("enable_seqscan", "off"),
                        // Chosen where statistics are fresh, since they make few of the rows look free to be sent. It
                        // reads the whole backlog of a slot for the few rows that a batch takes of it.
                        LocalSetting.of("enable_bitmapscan", "off"),
                        unlimitedTransaction()),
                0);
    }

    /**
     * Sets all but the isolation level, for this transaction alone. The search path stays: all tables are named with their
     * schema, and triggers of the application's may need it. Read-only stays too: it is a state to wait for the end of.
     *
     * @return the session; empty if the transaction's isolation is not as it must be, and it has to be begun again with
     *     {@link Isolation#setReadCommitted}
     */
    public Optional<DatabaseSession> setUp(DSLContext tx) {
        Record row = query.fetch(tx).get(0);
        return Isolation.READ_COMMITTED.equals(row.get(ISOLATION))
                ? Optional.of(
                        new DatabaseSession(row.get(SERVER), !row.get(STANDBY), knownSince(tx, row.get(REMEMBERED))))
                : Optional.empty();
    }

    /** The session itself remembers, for as long as it lives; a pool hands out one here and another there. */
    private static long knownSince(DSLContext tx, @Nullable String remembered) {
        if (remembered != null && !remembered.isEmpty()) {
            return Long.parseLong(remembered);
        }
        long now = System.nanoTime();
        tx.select(setForSession(KNOWN_SINCE, Long.toString(now))).execute();
        return now;
    }

    private static Field<String> setting(String name) {
        return function("current_setting", SQLDataType.VARCHAR, inline(name), inline(true))
                .as(name);
    }

    private static Field<String> setForSession(String setting, String value) {
        return function("set_config", SQLDataType.VARCHAR, inline(setting), val(value), inline(false));
    }

    /** PostgreSQL 17 and later can end a transaction for its age alone; older ones do not know the setting. */
    private static Field<String> unlimitedTransaction() {
        Field<String> known =
                function("current_setting", SQLDataType.VARCHAR, inline("transaction_timeout"), inline(true));
        return when(known.isNotNull(), LocalSetting.of("transaction_timeout", "0"));
    }
}
