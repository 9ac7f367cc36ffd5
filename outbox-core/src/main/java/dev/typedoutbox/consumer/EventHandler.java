package dev.typedoutbox.consumer;

import dev.typedoutbox.Outbox;
import dev.typedoutbox.OutboxEvent;
import org.jooq.DSLContext;

/**
 * What an application does with an event.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface EventHandler {
    /**
     * Applies an event. What is written through {@code tx} commits together with the record that the event was applied; what
     * is done elsewhere may be done again.
     *
     * <p>An SQL error aborts the whole transaction. A handler that wants to go on after one must let it happen in a nested
     * {@code tx.transaction(...)}, which is a savepoint, and catch it outside of that.
     *
     * <p>It must not commit, by no way: in a batch, that would commit the records of events that have not been applied yet,
     * and they would be duplicates from then on.
     *
     * <p>While it runs, SLF4J's MDC holds {@code event_id}, {@code event_type}, {@code aggregate_id} and {@code consumer}.
     *
     * <p>Events that are published through {@code tx}, or a transaction nested in it, tell that this event is their cause:
     * {@link Outbox} has the particulars.
     *
     * @param tx the transaction, at READ COMMITTED unless it is one of the caller's own; {@code tx.transaction(...)} opens a
     *     nested one (a savepoint) and {@code tx.connection(...)} gives JDBC's connection, which the handler must not commit,
     *     roll back or close
     * @param event the event
     * @throws Exception if it could not be applied; everything that it did through {@code tx} is rolled back
     */
    void handle(DSLContext tx, OutboxEvent event) throws Exception;
}
