package dev.typedoutbox.testkit.outbox;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.db.OutboxSchema;
import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.jooq.Configuration;
import org.jooq.DSLContext;

/**
 * Where assertions on events begin; to be imported statically. What is there is read once, by the call of the method here:
 * what is written later is seen by the next call.
 *
 * @since 0.1.0
 */
public final class OutboxAssertions {
    private OutboxAssertions() {}

    /**
     * Begins assertions on the outbox in schema {@value OutboxSchema#DEFAULT_SCHEMA}: on all that has committed and was
     * not deleted since.
     *
     * @param dataSource the outbox's database
     * @return the assertions
     * @throws org.jooq.exception.DataAccessException if the database fails
     */
    public static OutboxAssert assertThatOutbox(DataSource dataSource) {
        return assertThatOutbox(TestOutbox.of(dataSource));
    }

    /**
     * Begins assertions on an outbox, in whatever schema it is: on all that has committed and was not deleted since.
     *
     * @param outbox the outbox
     * @return the assertions
     * @throws org.jooq.exception.DataAccessException if the database fails
     */
    public static OutboxAssert assertThatOutbox(TestOutbox outbox) {
        return new OutboxAssert(outbox.events(), "the outbox");
    }

    /**
     * Begins assertions on what a transaction that is still open has written to the outbox in schema
     * {@value OutboxSchema#DEFAULT_SCHEMA}.
     *
     * @param tx a connection with auto-commit off
     * @return the assertions
     * @see #assertThatTransaction(Connection, String)
     */
    public static OutboxAssert assertThatTransaction(Connection tx) {
        return assertThatTransaction(tx, OutboxSchema.DEFAULT_SCHEMA);
    }

    /**
     * Begins assertions on what a transaction that is still open has written to an outbox: the rows that it sees whose time
     * of writing is the time at which it began. That is how {@code Outbox} writes them and what the column's default is;
     * a row that some SQL gave another time is not among them. Transactions nested in it count as one with it.
     *
     * @param tx a connection with auto-commit off
     * @param schema the outbox's, as the database spells it, capitals kept
     * @return the assertions
     * @throws dev.typedoutbox.NoTransactionException if auto-commit is on
     * @throws org.jooq.exception.DataAccessException if the database fails
     */
    public static OutboxAssert assertThatTransaction(Connection tx, String schema) {
        return new OutboxAssert(TestOutbox.eventsWrittenIn(tx, schema), "the transaction");
    }

    /**
     * Begins assertions on what a transaction that is still open has written to the outbox in schema
     * {@value OutboxSchema#DEFAULT_SCHEMA}.
     *
     * @param tx the transaction
     * @return the assertions
     * @see #assertThatTransaction(Configuration, String)
     */
    public static OutboxAssert assertThatTransaction(DSLContext tx) {
        return assertThatTransaction(tx.configuration());
    }

    /**
     * Begins assertions on what a transaction that is still open has written to the outbox in schema
     * {@value OutboxSchema#DEFAULT_SCHEMA}.
     *
     * @param tx the transaction
     * @return the assertions
     * @see #assertThatTransaction(Configuration, String)
     */
    public static OutboxAssert assertThatTransaction(Configuration tx) {
        return assertThatTransaction(tx, OutboxSchema.DEFAULT_SCHEMA);
    }

    /**
     * Begins assertions on what a transaction that is still open has written to an outbox: see
     * {@link #assertThatTransaction(Connection, String)}.
     *
     * @param tx the transaction, jOOQ's own or one that Spring manages
     * @param schema the outbox's, as the database spells it, capitals kept
     * @return the assertions
     * @throws dev.typedoutbox.NoTransactionException if no transaction is open
     * @throws org.jooq.exception.DataAccessException if the database fails
     */
    public static OutboxAssert assertThatTransaction(Configuration tx, String schema) {
        return new OutboxAssert(TestOutbox.eventsWrittenIn(tx, schema), "the transaction");
    }

    /**
     * Begins assertions on any events, such as those that an {@link dev.typedoutbox.testkit.InMemoryPublisher} has published
     * or a consumer has got.
     *
     * @param events the events, in their order
     * @return the assertions
     */
    public static EventsAssert assertThatEvents(List<OutboxEvent> events) {
        return new EventsAssert(List.copyOf(Objects.requireNonNull(events, "events")), Listing.plain("the list"));
    }
}
