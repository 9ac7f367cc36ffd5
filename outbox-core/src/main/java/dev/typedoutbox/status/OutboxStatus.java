package dev.typedoutbox.status;

import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.store.LocalTransaction;
import dev.typedoutbox.store.NetworkTimeout;
import dev.typedoutbox.store.OutboxDsl;
import dev.typedoutbox.store.StatusStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;

/**
 * Tells how an outbox is doing, at little cost: counts are bounded, rows are found by their indexes, each reading is one
 * transaction that only reads, and each of its statements is ended by the database after 2 s. So it can be asked every few
 * seconds, by metrics or a status page, also while there are millions of rows.
 *
 * <p>Safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class OutboxStatus {
    /** How far pending events and dead letters are counted: {@value}. */
    public static final int COUNT_LIMIT = StatusStore.COUNT_LIMIT;

    private static final Duration STATEMENT_TIMEOUT = Duration.ofSeconds(2);

    /** Time for the database's own bound on a statement to be felt before the connection is given up. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final DataSource dataSource;
    private final OutboxDsl dsl;
    private final StatusStore store;

    private OutboxStatus(DataSource dataSource, String schema) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
        this.dsl = new OutboxDsl(schema);
        this.store = new StatusStore(schema);
    }

    /**
     * The status of the outbox in schema {@value OutboxSchema#DEFAULT_SCHEMA}.
     *
     * @param dataSource the outbox's database; the role needs the right to select from {@code outbox_events}
     * @return the status
     */
    public static OutboxStatus of(DataSource dataSource) {
        return of(dataSource, OutboxSchema.DEFAULT_SCHEMA);
    }

    /**
     * The status of the outbox in the named schema.
     *
     * @param dataSource the outbox's database; the role needs the right to select from {@code outbox_events}
     * @param schema as the database spells it, capitals kept
     * @return the status
     * @throws IllegalArgumentException if the name is no schema's: see {@link OutboxSchema#requireName}
     */
    public static OutboxStatus of(DataSource dataSource, String schema) {
        return new OutboxStatus(dataSource, schema);
    }

    /**
     * Reads how the outbox is doing now.
     *
     * @return the report
     * @throws DataAccessException if the database failed, or did not answer in time
     */
    public StatusReport read() {
        return inTransaction(store::read);
    }

    /**
     * Counts the pending events of each type. Looks at no more than {@value StatusStore#TYPED_ROWS} pending events, those
     * of the first slots: while there are more, the counts tell which types there are many of, and not how many.
     *
     * @param limit the most types to return; 1 or more
     * @return the types, the one with the most events first
     * @throws IllegalArgumentException if the limit is below 1
     * @throws DataAccessException if the database failed, or did not answer in time
     */
    public List<TypeCount> pendingByType(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1 (was " + limit + ")");
        }
        return inTransaction(tx -> store.pendingByType(tx, limit));
    }

    private <T> T inTransaction(Function<DSLContext, T> query) {
        try (Connection connection = dataSource.getConnection()) {
            return NetworkTimeout.during(
                    connection,
                    STATEMENT_TIMEOUT.plus(GRACE),
                    () -> LocalTransaction.run(connection, () -> read(dsl.on(connection), query)));
        } catch (SQLException | DataAccessException e) {
            throw new DataAccessException("the outbox's status could not be read: " + e.getMessage(), e);
        }
    }

    private static <T> T read(DSLContext tx, Function<DSLContext, T> query) {
        StatusStore.prepare(tx, STATEMENT_TIMEOUT);
        return query.apply(tx);
    }
}
