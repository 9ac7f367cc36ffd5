package dev.typedoutbox.store;

import static dev.typedoutbox.db.generated.Tables.OUTBOX_EVENTS;
import static dev.typedoutbox.db.generated.Tables.PROCESSED_EVENTS;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.SQLDataType;

/**
 * Deletes the old rows of a table in steps, each in a transaction of its own. Waits for nobody, and rests between the steps,
 * so that the server has time for others.
 */
public final class Purge {
    /** The bound that the database has for each statement of a purge. */
    public static final Duration LONGEST_STATEMENT = Duration.ofMinutes(1);

    private static final Duration SHORTEST = Duration.ofMinutes(1);
    private static final Duration LONGEST = Duration.ofDays(36_500);

    /** Of those who work one at a time. */
    private static final Field<Integer> LOCK = inline(AdvisoryLocks.CLEANUP);

    /** Instead of a number of rows. */
    private static final int STOP = -1;

    private final String what;
    private final TableOid table;
    private final OldRows rows;
    private final OutboxDsl dsl;

    private Purge(String what, TableOid table, OldRows rows, OutboxDsl dsl) {
        this.what = what;
        this.table = table;
        this.rows = rows;
        this.dsl = dsl;
    }

    /** Of rows whose events were published, or discarded. Those that are to be sent, and dead ones, have no age. */
    public static Purge ofPublishedEvents(String schema) {
        TableOid table = new TableOid(schema, OUTBOX_EVENTS);
        OldRows rows = new OldRowsByPlace(OUTBOX_EVENTS, OUTBOX_EVENTS.PROCESSED_AT, table);
        return new Purge("published events", table, rows, new OutboxDsl(schema));
    }

    /** Of the records by which consumers know what was applied. */
    public static Purge ofProcessedEvents(String schema) {
        TableOid table = new TableOid(schema, PROCESSED_EVENTS);
        OldRows rows = new OldRowsByTime(PROCESSED_EVENTS, PROCESSED_EVENTS.PROCESSED_AT);
        return new Purge("processed events", table, rows, new OutboxDsl(schema));
    }

    public static Duration requireRetention(String property, Duration retention) {
        Objects.requireNonNull(retention, property);
        if (retention.compareTo(SHORTEST) < 0 || retention.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    property + " must be between " + SHORTEST + " and " + LONGEST + " (was " + retention + ")");
        }
        return retention;
    }

    /** Whether there are rows of some age, at a guess where the table is large. */
    public boolean seemsDue(DataSource dataSource, Duration age) {
        try (Connection connection = dataSource.getConnection()) {
            DSLContext tx = dsl.on(connection);
            return LocalTransaction.run(connection, () -> {
                begin(tx);
                return rows.seemToExist(tx, age);
            });
        } catch (SQLException e) {
            throw new DataAccessException(what + " could not be looked at: " + e.getMessage(), e);
        }
    }

    /**
     * Deletes what is older than the retention, but for what somebody has locked. When the thread is interrupted, the step
     * under way is completed and no other begun; the thread stays interrupted.
     *
     * @return how many rows
     */
    public long run(DataSource dataSource, Duration retention) {
        try (Connection connection = dataSource.getConnection()) {
            return run(connection, rows.walk(retention), false);
        } catch (SQLException e) {
            throw new DataAccessException(what + " could not be purged: " + e.getMessage(), e);
        }
    }

    /**
     * The same, but does nothing, or no more, while another one that was begun so is at work on the table, nor where there
     * seems to be nothing to do.
     */
    public long runAlone(Connection connection, Duration retention) throws SQLException {
        DSLContext tx = dsl.on(connection);
        boolean due = LocalTransaction.run(connection, () -> {
            begin(tx);
            return tryLock(tx) && rows.seemToExist(tx, retention);
        });
        return due ? run(connection, rows.walk(retention), true) : 0;
    }

    private long run(Connection connection, OldRows.Walk walk, boolean alone) throws SQLException {
        DSLContext tx = dsl.on(connection);
        Pace pace = new Pace();
        long purged = 0;
        while (!walk.isAtEnd()) {
            int deleted = LocalTransaction.run(connection, () -> {
                begin(tx);
                // The rest with the lock, or another would take it then, and begin from the beginning.
                return (alone && !tryLock(tx)) || !pace.rest() ? STOP : pace.measure(() -> walk.step(tx));
            });
            if (deleted == STOP) {
                break;
            }
            purged += deleted;
        }
        return purged;
    }

    /** Must be the transaction's first statements. */
    private static void begin(DSLContext tx) {
        Isolation.setReadCommitted(tx);
        IndexScans.only(tx);
        // A row that comes back in a crash of the database is deleted again.
        tx.setLocal(name("synchronous_commit"), inline("off")).execute();
        // The role's may be meant for short statements, and for transactions that never rest.
        for (String timeout : List.of("statement_timeout", "idle_in_transaction_session_timeout")) {
            tx.setLocal(name(timeout), inline(LONGEST_STATEMENT.toMillis() + "ms"))
                    .execute();
        }
    }

    private boolean tryLock(DSLContext tx) {
        return tx.select(function("pg_try_advisory_xact_lock", SQLDataType.BOOLEAN, table.oid(), LOCK))
                .fetchSingle()
                .value1();
    }
}
