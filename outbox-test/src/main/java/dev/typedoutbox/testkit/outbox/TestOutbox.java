package dev.typedoutbox.testkit.outbox;

import dev.typedoutbox.NoTransactionException;
import dev.typedoutbox.db.OutboxSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.conf.Settings;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;

/**
 * An outbox under test: reads all of its rows, empties it, and lets time pass for it. For tests only: it works on whole
 * tables, and its role needs all rights on them.
 *
 * <p>Each call is a transaction of its own and sees what has committed. Every method throws {@link DataAccessException} if
 * the database fails.
 *
 * <p>Safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class TestOutbox {
    /** How long {@link #empty} waits for others at most. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private static final Duration MOST_TIME = Duration.ofDays(36_500);
    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final Settings QUIET = new Settings().withExecuteLogging(false);

    private final DataSource dataSource;
    private final EventTable table;

    private TestOutbox(DataSource dataSource, String schema) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
        this.table = new EventTable(schema);
    }

    /**
     * The outbox in schema {@value OutboxSchema#DEFAULT_SCHEMA}.
     *
     * @param dataSource the outbox's database
     * @return the outbox
     */
    public static TestOutbox of(DataSource dataSource) {
        return of(dataSource, OutboxSchema.DEFAULT_SCHEMA);
    }

    /**
     * The outbox in the named schema.
     *
     * @param dataSource the outbox's database
     * @param schema as the database spells it, capitals kept
     * @return the outbox
     * @throws IllegalArgumentException if the name is no schema's: see {@link OutboxSchema#requireName}
     */
    public static TestOutbox of(DataSource dataSource, String schema) {
        return new TestOutbox(dataSource, schema);
    }

    /**
     * Reads all rows, whatever their state, payloads included.
     *
     * @return the rows in the order of their numbers
     */
    public List<StoredEvent> events() {
        return inTransaction(table::all);
    }

    /**
     * Empties {@code outbox_events} and {@code processed_events}, as between two tests. The numbers of later events go on
     * where they were, so a relay that runs meanwhile finds them.
     *
     * <p>Waits for transactions that have used the tables to end, 5 s at most.
     *
     * @throws IllegalStateException if one has not ended by then, such as that of a connection that nobody closed
     */
    public void empty() {
        try {
            inTransaction(tx -> {
                table.truncate(tx, LONGEST_WAIT);
                return true;
            });
        } catch (DataAccessException e) {
            if (LOCK_NOT_AVAILABLE.equals(e.sqlState())) {
                throw new IllegalStateException(
                        "no transaction may use the outbox while it is emptied (was one that did not end within "
                                + LONGEST_WAIT.toSeconds() + " s): close its connection first",
                        e);
            }
            throw e;
        }
    }

    /**
     * Makes due what waits for its retry, as if each had waited long enough: sets the time of the retry to the database's
     * present. Nothing else changes: the attempts are still counted, and the order within an aggregate is kept. A
     * {@link SteppableRelay} sends them with its next step; a relay that was started, when it polls next.
     *
     * @return how many waited
     */
    public int makeRetriesDue() {
        return inTransaction(table::makeRetriesDue);
    }

    /**
     * Lets time pass for the outbox: makes everything in it that much older. The library takes all times from the
     * database's clock, which a test cannot set, and only ever compares them with the times in the rows; so rows that
     * are an hour older are the same to it as an hour that has passed. All times of all rows of {@code outbox_events} and
     * {@code processed_events} move: those of writing, of retries, of publication, of death, and of application by a consumer.
     *
     * <p>It does not move what is outside of these tables: the clock itself and so the times of events to come, the tables
     * of the application, the pauses of a relay that was started, messages that are with the broker.
     *
     * @param time how much older; more than zero, and at most 36,500 days
     * @throws IllegalArgumentException if out of bounds
     */
    public void letTimePass(Duration time) {
        if (time.isNegative() || time.isZero() || time.compareTo(MOST_TIME) > 0) {
            throw new IllegalArgumentException(
                    "time must be more than zero and at most " + MOST_TIME.toDays() + " days (was " + time + ")");
        }
        inTransaction(tx -> {
            table.makeOlder(tx, time);
            return true;
        });
    }

    /** What a transaction that is still open has written; others cannot see it. */
    static List<StoredEvent> eventsWrittenIn(Connection tx, String schema) {
        try {
            if (tx.getAutoCommit()) {
                throw new NoTransactionException(
                        "a transaction must be open when its events are asserted (was none: auto-commit is on): use"
                                + " assertThatOutbox(dataSource) for what has committed");
            }
        } catch (SQLException e) {
            throw new DataAccessException("the state of the transaction could not be read", e);
        }
        return new EventTable(schema).writtenIn(DSL.using(tx, SQLDialect.POSTGRES, QUIET));
    }

    static List<StoredEvent> eventsWrittenIn(Configuration tx, String schema) {
        return DSL.using(tx).connectionResult(connection -> eventsWrittenIn(connection, schema));
    }

    private <T> T inTransaction(Function<DSLContext, T> work) {
        try (Connection connection = dataSource.getConnection()) {
            return DSL.using(connection, SQLDialect.POSTGRES, QUIET)
                    .transactionResult((Configuration tx) -> work.apply(tx.dsl()));
        } catch (SQLException e) {
            throw new DataAccessException("the database failed: " + e.getMessage(), e);
        }
    }
}
