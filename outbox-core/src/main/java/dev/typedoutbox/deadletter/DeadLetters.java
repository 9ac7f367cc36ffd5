package dev.typedoutbox.deadletter;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.store.DeadLetterStore;
import dev.typedoutbox.store.LocalTransaction;
import dev.typedoutbox.store.Notifications;
import dev.typedoutbox.store.OutboxDsl;
import dev.typedoutbox.store.RowText;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;

/**
 * Lists dead letters, gives them another chance, or discards them. They stay in the table until then: no relay looks at
 * them, and no purge deletes them.
 *
 * <p>What changes many of them does so in batches of 5,000 by their numbers, each in a transaction of its own, so that a
 * relay need not wait for the last to send the first. What was done stays done if a later batch fails. The order of an
 * aggregate's events is kept all the same: the relay sees its earlier ones no later than its later ones. Two such calls
 * at once wait for each other, and one dead letter is changed by one of them alone.
 *
 * <p>Safe for use by several threads. Every method throws {@link DataAccessException} if the database fails.
 *
 * @since 0.1.0
 */
public final class DeadLetters {
    /** How many characters the reason of {@link #discard} may have: {@value}. */
    public static final int MAX_REASON_LENGTH = 1_000;

    private static final int BATCH_SIZE = 5_000;
    private static final long BEFORE_THE_FIRST = 0;

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
     * @throws IllegalArgumentException if the name is no schema's: see {@link OutboxSchema#requireName}
     */
    public static DeadLetters of(DataSource dataSource, String schema) {
        return new DeadLetters(dataSource, schema);
    }

    /**
     * Counts the dead letters. Reads the index of all of them, so it takes its time when there are millions.
     *
     * @return how many there are
     */
    public int count() {
        return count(DeadLetterFilter.ALL);
    }

    /**
     * Counts some dead letters. Reads all of them, unless the filter names an aggregate.
     *
     * @param filter which ones
     * @return how many there are
     */
    public int count(DeadLetterFilter filter) {
        Objects.requireNonNull(filter, "filter");
        return inTransaction(tx -> DeadLetterStore.count(tx, filter));
    }

    /**
     * Lists dead letters, oldest first.
     *
     * @param limit the most to return; 1 or more
     * @return the list
     * @throws IllegalArgumentException if the limit is below 1
     */
    public List<DeadLetter> list(int limit) {
        return list(DeadLetterFilter.ALL, limit);
    }

    /**
     * Lists some dead letters, oldest first.
     *
     * @param filter which ones
     * @param limit the most to return; 1 or more
     * @return the list
     * @throws IllegalArgumentException if the limit is below 1
     */
    public List<DeadLetter> list(DeadLetterFilter filter, int limit) {
        return list(filter, BEFORE_THE_FIRST, limit);
    }

    /**
     * Lists the next page of some dead letters, oldest first. However many came before, a page costs the same; but those
     * that do not meet the filter are passed over one by one until the page is full.
     *
     * @param filter which ones
     * @param afterSeq the number of the last one on the page before
     * @param limit the most to return; 1 or more
     * @return the list; shorter than the limit on the last page
     * @throws IllegalArgumentException if the limit is below 1
     */
    public List<DeadLetter> list(DeadLetterFilter filter, long afterSeq, int limit) {
        Objects.requireNonNull(filter, "filter");
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1 (was " + limit + ")");
        }
        return inTransaction(tx -> DeadLetterStore.list(tx, filter, afterSeq, limit));
    }

    /**
     * Finds one dead letter.
     *
     * @param id the event
     * @return it, unless there is no such event, or it is not dead
     */
    public Optional<DeadLetter> find(UUID id) {
        Objects.requireNonNull(id, "id");
        return inTransaction(tx -> DeadLetterStore.find(tx, id));
    }

    /**
     * Reads the event of one dead letter, with its payload and headers, whatever their size: see
     * {@link DeadLetter#bytes}.
     *
     * @param id the event
     * @return it, unless there is no such event, or it is not dead
     */
    public Optional<OutboxEvent> event(UUID id) {
        Objects.requireNonNull(id, "id");
        return inTransaction(tx -> DeadLetterStore.event(tx, id));
    }

    /**
     * Lets the relay try an event again from its first attempt, at once and with the same id.
     *
     * @param id the event
     * @return whether it was a dead letter; of several callers at once, one is told so
     */
    public boolean retry(UUID id) {
        Objects.requireNonNull(id, "id");
        return inTransaction(tx -> told(tx, DeadLetterStore.retry(tx, id))) > 0;
    }

    /**
     * Lets the relay try all dead letters again; those of one aggregate leave in order.
     *
     * @return how many there were
     */
    public int retryAll() {
        return retryAll(DeadLetterFilter.ALL);
    }

    /**
     * Lets the relay try some dead letters again; those of one aggregate leave in order.
     *
     * @param filter which ones
     * @return how many there were
     */
    public int retryAll(DeadLetterFilter filter) {
        Objects.requireNonNull(filter, "filter");
        return inBatches((tx, after) -> DeadLetterStore.retry(tx, filter, after, BATCH_SIZE));
    }

    /**
     * Gives an event up for good. Its row counts as processed from now on, with {@code discarded:} and the reason as its
     * last error, and stays until a purge deletes it. Where aggregates are held, the later events of its aggregate go on.
     *
     * @param id the event
     * @param reason why; 1 to {@value #MAX_REASON_LENGTH} characters, not blank
     * @return whether it was a dead letter; of several callers at once, one is told so
     * @throws IllegalArgumentException if the reason is blank or too long, or is none that a row can hold
     */
    public boolean discard(UUID id, String reason) {
        Objects.requireNonNull(id, "id");
        requireReason(reason);
        return inTransaction(tx -> told(tx, DeadLetterStore.discard(tx, id, reason))) > 0;
    }

    /**
     * Gives some events up for good, as {@link #discard} does with one.
     *
     * @param filter which ones
     * @param reason why; 1 to {@value #MAX_REASON_LENGTH} characters, not blank
     * @return how many there were
     * @throws IllegalArgumentException if the reason is blank or too long, or is none that a row can hold
     */
    public int discardAll(DeadLetterFilter filter, String reason) {
        Objects.requireNonNull(filter, "filter");
        requireReason(reason);
        return inBatches((tx, after) -> DeadLetterStore.discard(tx, filter, reason, after, BATCH_SIZE));
    }

    /**
     * Requires a reason that {@link #discard} takes, for who wants to know before all else.
     *
     * @param reason why; 1 to {@value #MAX_REASON_LENGTH} characters, not blank
     * @return the reason
     * @throws IllegalArgumentException if the reason is blank or too long, or is none that a row can hold
     */
    public static String requireReason(String reason) {
        Objects.requireNonNull(reason, "reason");
        // It is shorter than its column, which holds a word before it.
        RowText.require("reason", MAX_REASON_LENGTH, reason);
        if (reason.isBlank()) {
            throw new IllegalArgumentException("reason must say why (was blank)");
        }
        return reason;
    }

    /** In the order of the numbers, or a relay could see an aggregate's later event before its earlier one. */
    private int inBatches(Change change) {
        int changed = 0;
        long last = BEFORE_THE_FIRST;
        int size = BATCH_SIZE;
        while (size == BATCH_SIZE) {
            long after = last;
            List<Long> batch = inTransaction(tx -> {
                List<Long> numbers = change.apply(tx, after);
                told(tx, numbers.size());
                return numbers;
            });
            size = batch.size();
            changed += size;
            last = size == 0 ? last : Collections.max(batch);
        }
        return changed;
    }

    private int told(DSLContext tx, int changed) {
        if (changed > 0) {
            Notifications.wakeRelays(tx, schema);
        }
        return changed;
    }

    private <T> T inTransaction(Function<DSLContext, T> work) {
        try (Connection connection = dataSource.getConnection()) {
            DSLContext tx = dsl.on(connection);
            return LocalTransaction.run(connection, () -> {
                DeadLetterStore.begin(tx);
                return work.apply(tx);
            });
        } catch (SQLException e) {
            throw new DataAccessException("the database failed: " + e.getMessage(), e);
        }
    }

    /** Changes a batch of the dead letters after a number, and answers their numbers. */
    private interface Change {
        List<Long> apply(DSLContext tx, long after);
    }
}
