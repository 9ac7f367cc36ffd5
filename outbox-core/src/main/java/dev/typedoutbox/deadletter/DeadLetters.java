package dev.typedoutbox.deadletter;

import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.store.DeadLetterStore;
import dev.typedoutbox.store.LocalTransaction;
import dev.typedoutbox.store.Notifications;
import dev.typedoutbox.store.OutboxDsl;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;

/**
 * Lists dead letters, gives them another chance, or discards them. They stay in the table until then, and no relay looks at them.
 *
 * <p>Safe for use by several threads. Every method throws {@link DataAccessException} if the database fails.
 */
public final class DeadLetters {
    private final DataSource dataSource;
    private final String schema;
    private final OutboxDsl dsl;

    private DeadLetters(DataSource dataSource, String schema) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
        this.schema = schema;
        this.dsl = new OutboxDsl(schema);
    }

    /**
     * The dead letters of the outbox in schema {@value OutboxSchema#DEFAULT_SCHEMA}.
     *
     * @param dataSource the outbox's database
     * @return the dead letters
     */
    public static DeadLetters of(DataSource dataSource) {
        return of(dataSource, OutboxSchema.DEFAULT_SCHEMA);
    }

    /**
     * The dead letters of the outbox in the named schema.
     *
     * @param dataSource the outbox's database
     * @param schema as the database spells it, capitals kept
     * @return the dead letters
     */
    public static DeadLetters of(DataSource dataSource, String schema) {
        return new DeadLetters(dataSource, schema);
    }

    /**
     * Counts the dead letters.
     *
     * @return how many there are
     */
    public int count() {
        return inTransaction(DeadLetterStore::count);
    }

    /**
     * Lists dead letters, oldest first.
     *
     * @param limit the most to return; 1 or more
     * @return the list
     * @throws IllegalArgumentException if the limit is below 1
     */
    public List<DeadLetter> list(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1 (was " + limit + ")");
        }
        return inTransaction(tx -> DeadLetterStore.list(tx, limit));
    }

    /**
     * Lets the relay try an event again from its first attempt, at once and with the same id.
     *
     * @param id the event
     * @return whether it was a dead letter
     */
    public boolean retry(UUID id) {
        return inTransaction(tx -> changed(tx, DeadLetterStore.retry(tx, id))) > 0;
    }

    /**
     * Lets the relay try all dead letters again; those of one aggregate leave in order.
     *
     * @return how many there were
     */
    public int retryAll() {
        return inTransaction(tx -> changed(tx, DeadLetterStore.retryAll(tx)));
    }

    /**
     * Lets the relay try all dead letters of a type again; those of one aggregate leave in order.
     *
     * @param eventType the type
     * @return how many there were
     */
    public int retryAll(String eventType) {
        Objects.requireNonNull(eventType, "eventType");
        return inTransaction(tx -> changed(tx, DeadLetterStore.retryAll(tx, eventType)));
    }

    private int changed(DSLContext tx, int number) {
        if (number > 0) {
            Notifications.wakeRelays(tx, schema);
        }
        return number;
    }

    /**
     * Deletes a dead letter. Where aggregates are held, the later events of its aggregate go on.
     *
     * @param id the event
     * @return whether it was a dead letter
     */
    public boolean discard(UUID id) {
        return inTransaction(tx -> changed(tx, DeadLetterStore.discard(tx, id))) > 0;
    }

    private <T> T inTransaction(Function<DSLContext, T> work) {
        try (Connection connection = dataSource.getConnection()) {
            return LocalTransaction.run(connection, () -> work.apply(dsl.on(connection)));
        } catch (SQLException e) {
            throw new DataAccessException("the database failed: " + e.getMessage(), e);
        }
    }
}
