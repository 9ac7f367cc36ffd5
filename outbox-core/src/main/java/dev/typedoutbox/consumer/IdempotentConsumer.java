package dev.typedoutbox.consumer;

import dev.typedoutbox.NoTransactionException;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.store.CallerTransaction;
import dev.typedoutbox.store.Isolation;
import dev.typedoutbox.store.OutboxDsl;
import dev.typedoutbox.store.ProcessedStore;
import dev.typedoutbox.store.RowText;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies each event once: the handler's work and the record that the event was applied commit together, and an event that
 * is recorded already is not handed over again.
 *
 * <p>Knows no broker: whatever receives events calls {@link #apply(OutboxEvent)}, or {@link #applyAll} for many at once, and
 * acknowledges a delivery after it returned. Who has a transaction already, as Spring may, hands it over as an argument and
 * acknowledges after its commit.
 *
 * <p>Safe for use by several threads, if the handler is. Of two deliveries of one event at the same time, one waits for the
 * other: when that one commits it is a duplicate, when that one rolls back it does the work.
 *
 * @since 0.1.0
 */
public final class IdempotentConsumer implements EventConsumer {
    private static final Logger LOG = LoggerFactory.getLogger(IdempotentConsumer.class);

    /** Deadlock, serialization failure, lock and statement time-out: another delivery of the event holds its record. */
    private static final Set<String> WAITED_IN_VAIN = Set.of("40P01", "40001", "55P03", "57014");

    private static final String NO_TABLE = "42P01";

    private final OutboxDsl dsl;
    private final String consumer;
    private final HandlerCall handler;
    private final OwnTransaction ownTransaction;
    private final CallerTransaction callerTransaction;

    private IdempotentConsumer(DataSource dataSource, String consumer, EventHandler handler, String schema) {
        this.dsl = new OutboxDsl(schema);
        this.consumer = Objects.requireNonNull(consumer, "consumer");
        this.handler = new HandlerCall(consumer, Objects.requireNonNull(handler, "handler"));
        this.ownTransaction = new OwnTransaction(Objects.requireNonNull(dataSource, "dataSource"));
        this.callerTransaction = new CallerTransaction(
                dsl, "an event is applied", "begin one, or call apply(event), which has a transaction of its own");
        RowText.require("consumer", RowText.MAX_NAME_LENGTH, consumer);
    }

    /**
     * A consumer whose records lie in schema {@value OutboxSchema#DEFAULT_SCHEMA}.
     *
     * @param dataSource the database of the handler's work and of the records
     * @param consumer names the consumer among all that use this database; each gets every event once; 1 to 100 characters
     * @param handler what is done with an event
     * @return the consumer
     * @throws IllegalArgumentException if the name is too long or empty, or holds U+0000 or a lone surrogate
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
     * @throws IllegalArgumentException if the name is too long or empty, or holds U+0000 or a lone surrogate, or if the
     *     schema's is none: see {@link OutboxSchema#requireName}
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
     * @throws HandlerException if that was a checked exception other than an SQLException
     * @throws IllegalStateException if the handler caught an SQL error that aborted the transaction, where everything was
     *     rolled back; or if it ended the transaction, where what it committed stays
     * @throws DataAccessException if the database failed; if that was at the commit, it is not known whether the event was
     *     applied, and the next delivery finds out
     */
    @Override
    public Applied apply(OutboxEvent event) {
        return ownTransaction.run("event " + event.id(), connection -> {
            boolean isNew = record(
                    connection,
                    "event " + event.id(),
                    () -> ProcessedStore.recordApplied(dsl.on(connection), consumer, event.id()));
            return applyIf(isNew, connection, OutboxDsl.forApplication(connection), event);
        });
    }

    /**
     * Applies an event in the caller's jOOQ transaction, or finds that it was applied before: the same as
     * {@link #apply(Configuration, OutboxEvent)}.
     *
     * @param tx the transaction
     * @param event the event
     * @return whether the handler ran; its work is committed when the caller commits
     * @throws RuntimeException what the handler threw; all of the event was rolled back, the transaction is still usable
     * @throws HandlerException if that was a checked exception other than an SQLException
     * @throws IllegalStateException if the handler ended the transaction, or caught an SQL error that aborted it
     * @throws NoTransactionException if no transaction is open
     * @throws DataAccessException if the database failed; its cause is the SQLException
     */
    public Applied apply(DSLContext tx, OutboxEvent event) {
        return apply(tx.configuration(), event);
    }

    /**
     * Applies an event in the caller's jOOQ transaction, or finds that it was applied before. The handler runs in that
     * transaction, with the caller's jOOQ settings and listeners. Nothing is committed here, and nothing but what the
     * event did is rolled back: that is done within a savepoint, so a caller may catch the failure and go on.
     *
     * <p>Until the transaction ends, another delivery of the event waits for it: when it commits that one is a duplicate,
     * when it rolls back that one does the work. Transactions that apply several events must do so in one order, such as
     * that of their ids, or they may deadlock. The isolation level is the caller's. At REPEATABLE READ and SERIALIZABLE an event
     * that another transaction applied after this one took its snapshot is no duplicate but a serialization failure
     * (SQLSTATE 40001): run the whole transaction again.
     *
     * @param tx the transaction, as {@code dsl.transaction(...)} hands it over or as Spring manages it
     * @param event the event
     * @return whether the handler ran; its work is committed when the caller commits
     * @throws RuntimeException what the handler threw; all of the event was rolled back, the transaction is still usable
     * @throws HandlerException if that was a checked exception other than an SQLException
     * @throws IllegalStateException if the handler caught an SQL error that aborted the transaction, where all of the event
     *     was rolled back, too; or if it ended the transaction, which is the caller's and cannot be brought back
     * @throws NoTransactionException if no transaction is open; where only the connection pool's rollback told so, the
     *     handler has run in vain
     * @throws DataAccessException if the database failed; its cause is the SQLException
     */
    public Applied apply(Configuration tx, OutboxEvent event) {
        return callerTransaction.run(
                tx,
                (connection, outbox) ->
                        applyInSavepoint(connection, outbox, OutboxDsl.forApplication(connection, tx), event));
    }

    /**
     * Applies an event in the caller's JDBC transaction, or finds that it was applied before: the same as
     * {@link #apply(Configuration, OutboxEvent)}, except that the handler gets a jOOQ context with jOOQ's own defaults.
     *
     * @param tx a connection with auto-commit off
     * @param event the event
     * @return whether the handler ran; its work is committed when the caller commits
     * @throws RuntimeException what the handler threw; all of the event was rolled back, the transaction is still usable
     * @throws HandlerException if that was a checked exception other than an SQLException
     * @throws IllegalStateException if the handler ended the transaction, or caught an SQL error that aborted it
     * @throws NoTransactionException if auto-commit is on
     * @throws DataAccessException if the database failed; its cause is the SQLException
     */
    public Applied apply(Connection tx, OutboxEvent event) {
        return callerTransaction.run(
                tx,
                (connection, outbox) ->
                        applyInSavepoint(connection, outbox, OutboxDsl.forApplication(connection), event));
    }

    /**
     * Applies several events in one transaction, in their order, and those that were applied before not again. If one of
     * them fails, that transaction is rolled back and each event gets a transaction of its own: the one at fault fails, the later
     * ones of its aggregate are held back, and the others are applied. So a handler may be called twice with an event that
     * is applied once.
     *
     * @param events the events; one that is there twice is applied once
     * @return what became of each, in the same order
     * @throws DataAccessException if the database cannot be reached, or cannot record what is applied; some may have been
     *     applied
     */
    @Override
    public List<ApplyOutcome> applyAll(List<OutboxEvent> events) {
        if (events.size() > 1) {
            try {
                return ownTransaction.run(events.size() + " events", connection -> applyAllOn(connection, events));
            } catch (DatabaseLostException e) {
                throw e;
            } catch (RuntimeException | Error e) {
                LOG.debug("events are applied one by one, because one of them failed", e);
            }
        }
        return new OneByOne(this).apply(events);
    }

    private Applied applyInSavepoint(
            Connection connection, DSLContext outbox, DSLContext application, OutboxEvent event) {
        return EventSavepoint.run(connection, event, () -> applyOn(connection, outbox, application, event));
    }

    private Applied applyOn(Connection connection, DSLContext outbox, DSLContext application, OutboxEvent event)
            throws SQLException {
        return applyIf(ProcessedStore.recordApplied(outbox, consumer, event.id()), connection, application, event);
    }

    private Applied applyIf(boolean isNew, Connection connection, DSLContext application, OutboxEvent event)
            throws SQLException {
        if (!isNew) {
            tellDuplicate(event);
            return Applied.DUPLICATE;
        }
        handler.run(connection, application, event);
        return Applied.APPLIED;
    }

    /** Only an id is written there, so if the table is missing or read-only, no event is at fault. */
    private <T> T record(Connection connection, String what, Supplier<T> statement) {
        try {
            Isolation.setReadCommitted(dsl.on(connection));
            return statement.get();
        } catch (DataAccessException e) {
            String hint = NO_TABLE.equals(e.sqlState()) ? " (OutboxSchema.migrate creates the table)" : "";
            String message = what + " could not be recorded as applied: " + e.getMessage() + hint;
            if (WAITED_IN_VAIN.contains(e.sqlState())) {
                throw new RecordHeldException(message, e);
            }
            throw new DatabaseLostException(message, e);
        }
    }

    private List<ApplyOutcome> applyAllOn(Connection connection, List<OutboxEvent> events) throws SQLException {
        List<UUID> ids = events.stream().map(OutboxEvent::id).toList();
        Set<UUID> unknown = record(
                connection,
                events.size() + " events",
                () -> ProcessedStore.recordAllApplied(dsl.on(connection), consumer, ids));
        DSLContext application = OutboxDsl.forApplication(connection);
        List<ApplyOutcome> outcomes = new ArrayList<>();
        for (OutboxEvent event : events) {
            Applied applied = applyIf(unknown.remove(event.id()), connection, application, event);
            outcomes.add(ApplyOutcome.of(event, applied));
        }
        return outcomes;
    }

    /** Nothing is wrong: whoever delivers at least once does so. */
    private void tellDuplicate(OutboxEvent event) {
        LOG.atDebug()
                .addKeyValue("event_id", event.id())
                .addKeyValue("event_type", event.eventType())
                .addKeyValue("aggregate_id", event.aggregateId())
                .addKeyValue("consumer", consumer)
                .log("event is a duplicate");
    }
}
