package dev.typedoutbox.store;

import static dev.typedoutbox.db.generated.Tables.OUTBOX_EVENTS;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.position;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.db.generated.tables.OutboxEvents;
import dev.typedoutbox.db.generated.tables.records.OutboxEventsRecord;
import dev.typedoutbox.deadletter.DeadLetter;
import dev.typedoutbox.deadletter.DeadLetterFilter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.UpdateSetMoreStep;
import org.jspecify.annotations.Nullable;

/** Every query on dead letters. All walk the index of the dead ones, which is in the order of their numbers. */
public final class DeadLetterStore {
    private static final OutboxEvents E = OUTBOX_EVENTS;

    /** Neither payload nor headers, which may be large. */
    private static final List<Field<?>> COLUMNS = List.of(
            E.ID,
            E.SEQ,
            E.AGGREGATE_TYPE,
            E.AGGREGATE_ID,
            E.EVENT_TYPE,
            E.ATTEMPTS,
            E.CREATED_AT,
            E.DEAD_AT,
            E.LAST_ERROR,
            E.BYTES);

    private DeadLetterStore() {}

    /** Must be the transaction's first statements. */
    public static void begin(DSLContext tx) {
        Isolation.setReadCommitted(tx);
        IndexScans.only(tx);
        // The index has the order already; a plan that finds few and sorts them is bad where there are many after all.
        tx.setLocal(name("enable_sort"), inline("off")).execute();
    }

    public static int count(DSLContext tx, DeadLetterFilter filter) {
        return tx.fetchCount(E, dead(filter));
    }

    public static List<DeadLetter> list(DSLContext tx, DeadLetterFilter filter, long afterSeq, int limit) {
        return tx.select(COLUMNS)
                .from(E)
                .where(dead(filter))
                .and(E.SEQ.gt(afterSeq))
                .orderBy(E.SEQ)
                .limit(limit)
                .fetch(DeadLetterStore::toDeadLetter);
    }

    public static Optional<DeadLetter> find(DSLContext tx, UUID id) {
        return tx.select(COLUMNS)
                .from(E)
                .where(E.ID.eq(id))
                .and(E.DEAD_AT.isNotNull())
                .fetchOptional(DeadLetterStore::toDeadLetter);
    }

    public static Optional<OutboxEvent> event(DSLContext tx, UUID id) {
        return tx.select(EventRow.COLUMNS)
                .from(EventRow.EVENT)
                .where(EventRow.EVENT.ID.eq(id))
                .and(EventRow.EVENT.DEAD_AT.isNotNull())
                .fetchOptional(EventRow::toEvent);
    }

    public static int retry(DSLContext tx, UUID id) {
        return revive(tx).where(E.ID.eq(id)).and(E.DEAD_AT.isNotNull()).execute();
    }

    /**
     * Retries those after a number, up to a limit.
     *
     * @return their numbers, in any order
     */
    public static List<Long> retry(DSLContext tx, DeadLetterFilter filter, long afterSeq, int limit) {
        return change(revive(tx), filter, afterSeq, limit);
    }

    public static int discard(DSLContext tx, UUID id, String reason) {
        return giveUp(tx, reason).where(E.ID.eq(id)).and(E.DEAD_AT.isNotNull()).execute();
    }

    /**
     * Discards those after a number, up to a limit.
     *
     * @return their numbers, in any order
     */
    public static List<Long> discard(DSLContext tx, DeadLetterFilter filter, String reason, long afterSeq, int limit) {
        return change(giveUp(tx, reason), filter, afterSeq, limit);
    }

    /** Locked in the order of the numbers, so that two of these never wait for each other. */
    private static List<Long> change(
            UpdateSetMoreStep<OutboxEventsRecord> update, DeadLetterFilter filter, long afterSeq, int limit) {
        return update.where(E.ID.eq(any(array(select(E.ID)
                        .from(E)
                        .where(dead(filter))
                        .and(E.SEQ.gt(afterSeq))
                        .orderBy(E.SEQ)
                        .limit(limit)
                        .forUpdate()))))
                .returningResult(E.SEQ)
                .fetch(E.SEQ);
    }

    private static UpdateSetMoreStep<OutboxEventsRecord> revive(DSLContext tx) {
        return tx.update(E)
                .set(E.ATTEMPTS, inline(0))
                .set(E.RETRY_AFTER, inline((Instant) null, E.RETRY_AFTER))
                .set(E.DEAD_AT, inline((Instant) null, E.DEAD_AT))
                // By this the relay finds it again; one that was marked dead by hand may have none.
                .set(E.LAST_ERROR, coalesce(E.LAST_ERROR, inline("marked dead by hand")));
    }

    private static UpdateSetMoreStep<OutboxEventsRecord> giveUp(DSLContext tx, String reason) {
        return tx.update(E)
                .set(E.PROCESSED_AT, DatabaseClock.NOW)
                .set(E.DEAD_AT, inline((Instant) null, E.DEAD_AT))
                .set(E.LAST_ERROR, "discarded: " + reason);
    }

    private static Condition dead(DeadLetterFilter filter) {
        return E.DEAD_AT
                .isNotNull()
                .and(ifGiven(filter.eventType(), E.EVENT_TYPE::eq))
                .and(ifGiven(filter.aggregateType(), E.AGGREGATE_TYPE::eq))
                .and(ifGiven(filter.aggregateId(), E.AGGREGATE_ID::eq))
                .and(ifGiven(filter.diedSince(), E.DEAD_AT::ge))
                .and(ifGiven(filter.diedBefore(), E.DEAD_AT::lt))
                .and(ifGiven(
                        filter.errorContaining(),
                        part -> position(E.LAST_ERROR, val(part)).gt(inline(0))));
    }

    private static <T> Condition ifGiven(@Nullable T value, Function<T, Condition> condition) {
        return value == null ? noCondition() : condition.apply(value);
    }

    private static DeadLetter toDeadLetter(Record row) {
        return new DeadLetter(
                row.get(E.ID),
                row.get(E.SEQ),
                row.get(E.AGGREGATE_TYPE),
                row.get(E.AGGREGATE_ID),
                row.get(E.EVENT_TYPE),
                row.get(E.ATTEMPTS),
                row.get(E.CREATED_AT),
                row.get(E.DEAD_AT),
                row.get(E.LAST_ERROR),
                row.get(E.BYTES));
    }
}
