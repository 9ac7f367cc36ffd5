package dev.typedoutbox.consumer;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.store.Isolation;
import dev.typedoutbox.store.LocalTransaction;
import dev.typedoutbox.store.OutboxDsl;
import dev.typedoutbox.store.ProcessedStore;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * Applies each event once: the handler's work and the record that the event was applied commit together, and an event that
 * is recorded already is not handed over again.
 *
 * <p>Knows no broker: whatever receives events calls {@link #apply}, and acknowledges a delivery after it returned.
 *
 * <p>Safe for use by several threads, if the handler is. Of two deliveries of one event at the same time, one waits for the
 * other: when that one commits it is a duplicate, when that one rolls back it does the work.
 */
public final class IdempotentConsumer implements EventConsumer {
    private static final int MAX_NAME_LENGTH = 100;

    private final DataSource dataSource;
    private final OutboxDsl dsl;
    private final String consumer;
    private final EventHandler handler;

    private IdempotentConsumer(DataSource dataSource, String consumer, EventHandler handler, String schema) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
        this.dsl = new OutboxDsl(schema);
        this.consumer = Objects.requireNonNull(consumer, "consumer");
        this.handler = Objects.requireNonNull(handler, "handler");
        int length = consumer.codePointCount(0, consumer.length());
        if (length < 1 || length > MAX_NAME_LENGTH) {
            throw new IllegalArgumentException(
                    "consumer must be 1 to " + MAX_NAME_LENGTH + " characters (was " + length + ")");
        }
        if (consumer.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "consumer must not contain U+0000 (was at index " + consumer.indexOf('\0') + ")");
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(consumer)) {
            throw new IllegalArgumentException("consumer must not contain a lone surrogate (was in it)");
        }
    }

    /**
     * A consumer whose records lie in schema {@value OutboxSchema#DEFAULT_SCHEMA}.
     *
     * @param dataSource the database of the handler's work and of the records
     * @param consumer names the consumer among all that use this database; each gets every event once; 1 to 100 characters
     * @param handler what is done with an event
     * @return the consumer
     * @throws IllegalArgumentException if the name is too long or empty, or holds U+0000
     */
    public static IdempotentConsumer create(DataSource dataSource, String consumer, EventHandler handler) {
        return create(dataSource, consumer, handler, OutboxSchema.DEFAULT_SCHEMA);
    }

    /**
     * A consumer whose records lie in the named schema.
     *
     * @param dataSource the database of the handler's work and of the records
     * @param consumer names the consumer among all that use this database; each gets every event once; 1 to 100 characters
     * @param handler what is done with an event
     * @param schema where the records lie, as the database spells it, capitals kept
     * @return the consumer
     * @throws IllegalArgumentException if the name is too long or empty, or holds U+0000
     */
    public static IdempotentConsumer create(
            DataSource dataSource, String consumer, EventHandler handler, String schema) {
        return new IdempotentConsumer(dataSource, consumer, handler, schema);
    }

    /**
     * Tells the consumer's name.
     *
     * @return the name
     */
    public String name() {
        return consumer;
    }

    /**
     * Applies an event in a transaction of its own, or finds that it was applied before.
     *
     * @param event the event
     * @return whether the handler ran; its work is committed then
     * @throws RuntimeException what the handler threw; everything was rolled back
     * @throws HandlerException if that was a checked exception
     * @throws IllegalStateException if the handler ended the transaction, or caught an SQL error that aborted it; everything
     *     was rolled back
     * @throws DataAccessException if the database failed; if that was at the commit, it is not known whether the event was
     *     applied, and the next delivery finds out
     */
    @Override
    public Applied apply(OutboxEvent event) {
        try (Connection connection = dataSource.getConnection()) {
            return LocalTransaction.run(connection, () -> applyOn(connection, event));
        } catch (SQLException e) {
            throw new DataAccessException("event " + event.id() + " could not be applied: " + e.getMessage(), e);
        }
    }

    /** PostgreSQL answers the commit of an aborted transaction with a rollback, and the driver does not throw. */
    private static void requireOpenTransaction(Connection connection, OutboxEvent event) throws SQLException {
        TransactionState state = connection.unwrap(BaseConnection.class).getTransactionState();
        if (state != TransactionState.OPEN) {
            throw new IllegalStateException(
                    "the transaction must be open when the handler of event " + event.id()
                            + " returns (was " + (state == TransactionState.FAILED ? "aborted by an error" : "ended")
                            + "): let SQL errors pass, or catch them around tx.transaction(...), and neither commit nor roll back");
        }
    }

    private Applied applyOn(Connection connection, OutboxEvent event) throws SQLException {
        DSLContext records = dsl.on(connection);
        Isolation.setReadCommitted(records);
        if (!ProcessedStore.recordApplied(records, consumer, event.id())) {
            return Applied.DUPLICATE;
        }
        try {
            handler.handle(OutboxDsl.forApplication(connection), event);
            requireOpenTransaction(connection, event);
            return Applied.APPLIED;
        } catch (RuntimeException | SQLException e) {
            throw e;
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new HandlerException("event " + event.id() + " could not be applied: " + e.getMessage(), e);
        }
    }
}
