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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies each event once: the handler's work and the record that the event was applied commit together, and an event that
 * is recorded already is not handed over again.
 *
 * <p>Knows no broker: whatever receives events calls {@link #apply}, or {@link #applyAll} for many at once, and acknowledges
 * a delivery after it returned.
 *
 * <p>Safe for use by several threads, if the handler is. Of two deliveries of one event at the same time, one waits for the
 * other: when that one commits it is a duplicate, when that one rolls back it does the work.
 */
public final class IdempotentConsumer implements EventConsumer {
    private static final Logger LOG = LoggerFactory.getLogger(IdempotentConsumer.class);
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
        return inTransaction("event " + event.id(), connection -> {
            begin(connection);
            if (!ProcessedStore.recordApplied(dsl.on(connection), consumer, event.id())) {
                return Applied.DUPLICATE;
            }
            handle(connection, event);
            return Applied.APPLIED;
        });
    }

    /**
     * Applies several events in one transaction, in their order, and those that were applied before not again. If one of
     * them fails, that transaction is rolled back and each event gets a transaction of its own: the one at fault fails, the later
     * ones of its aggregate are held back, and the others are applied. So a handler may be called twice with an event that
     * is applied once.
     *
     * @param events the events; one that is there twice is applied once
     * @return what became of each, in the same order
     * @throws DataAccessException if the database cannot be reached or ended the session; some may have been applied
     */
    @Override
    public List<ApplyOutcome> applyAll(List<OutboxEvent> events) {
        if (events.size() > 1) {
            try {
                return inTransaction(events.size() + " events", connection -> applyOn(connection, events));
            } catch (DatabaseLostException e) {
                throw e;
            } catch (RuntimeException | Error e) {
                LOG.debug("events are applied one by one, because one of them failed", e);
            }
        }
        return new OneByOne(this).apply(events);
    }

    private List<ApplyOutcome> applyOn(Connection connection, List<OutboxEvent> events) throws SQLException {
        begin(connection);
        List<UUID> ids = events.stream().map(OutboxEvent::id).toList();
        Set<UUID> unknown = ProcessedStore.recordAllApplied(dsl.on(connection), consumer, ids);
        List<ApplyOutcome> outcomes = new ArrayList<>();
        for (OutboxEvent event : events) {
            boolean isNew = unknown.remove(event.id());
            if (isNew) {
                handle(connection, event);
            }
            outcomes.add(ApplyOutcome.of(event, isNew ? Applied.APPLIED : Applied.DUPLICATE));
        }
        return outcomes;
    }

    private void begin(Connection connection) {
        Isolation.setReadCommitted(dsl.on(connection));
    }

    private void handle(Connection connection, OutboxEvent event) throws SQLException {
        try {
            handler.handle(OutboxDsl.forApplication(connection), event);
            requireOpenTransaction(connection, event);
        } catch (RuntimeException | SQLException e) {
            throw e;
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new HandlerException("event " + event.id() + " could not be applied: " + e.getMessage(), e);
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

    private <T> T inTransaction(String what, LocalWork<T> work) {
        try (Connection connection = connect(what)) {
            try {
                return LocalTransaction.run(connection, () -> work.run(connection));
            } catch (SQLException | DataAccessException e) {
                if (connection.isClosed()) {
                    throw new DatabaseLostException(notApplied(what, e), e);
                }
                throw e;
            }
        } catch (SQLException e) {
            throw new DataAccessException(notApplied(what, e), e);
        }
    }

    private Connection connect(String what) {
        try {
            return dataSource.getConnection();
        } catch (SQLException e) {
            throw new DatabaseLostException(notApplied(what, e), e);
        }
    }

    private static String notApplied(String what, Exception cause) {
        return what + " could not be applied: " + cause.getMessage();
    }

    private interface LocalWork<T> {
        T run(Connection connection) throws SQLException;
    }
}
