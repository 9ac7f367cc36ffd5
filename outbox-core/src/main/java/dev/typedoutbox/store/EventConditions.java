package dev.typedoutbox.store;

import static dev.typedoutbox.db.generated.Tables.OUTBOX_EVENTS;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.currentInstant;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.least;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.select;

import dev.typedoutbox.db.generated.tables.OutboxEvents;
import org.jooq.Condition;
import org.jooq.Field;

/** What states a row can be in, in words that fit the indexes. */
final class EventConditions {
    private static final OutboxEvents E = OUTBOX_EVENTS;
    private static final OutboxEvents EARLIER = OUTBOX_EVENTS.as("earlier");
    private static final OutboxEvents FAILED = OUTBOX_EVENTS.as("failed");

    private EventConditions() {}

    static Condition pending(OutboxEvents table) {
        return table.PROCESSED_AT.isNull().and(table.DEAD_AT.isNull());
    }

    /**
     * The same as {@link #pending} for rows that are named by their ids, in words that keep the planner from reading the
     * whole index of the pending rows for them.
     */
    static Condition stillPending(OutboxEvents table) {
        return coalesce(table.PROCESSED_AT, table.DEAD_AT).isNull();
    }

    static Condition failedBefore(OutboxEvents table) {
        return pending(table).and(table.LAST_ERROR.isNotNull().or(table.RETRY_AFTER.isNotNull()));
    }

    static Condition due(OutboxEvents table) {
        return pending(table).and(table.RETRY_AFTER.isNull().or(table.RETRY_AFTER.le(currentInstant())));
    }

    /** In the slot at hand, and neither below its floor nor below what came back from the dead letters. */
    static Condition inSlot() {
        return E.SLOT.eq(Slots.SLOT).and(E.SEQ.ge(least(Slots.FLOOR, firstFailed())));
    }

    private static Field<Long> firstFailed() {
        return found(FAILED, FAILED.SLOT.eq(Slots.SLOT).and(failedBefore(FAILED)));
    }

    /** The lowest number to be sent in the slot at hand, from its floor on. */
    static Field<Long> firstPending() {
        return found(E, E.SLOT.eq(Slots.SLOT).and(E.SEQ.ge(Slots.FLOOR)).and(pending(E)));
    }

    /** No event before it in its aggregate holds it back. Two questions, so that each has an index of its own. */
    static Condition free(HoldBack holdBack) {
        Condition free = noCondition();
        if (holdBack != HoldBack.NONE) {
            // Once for the slot, which mostly answers for all its rows.
            free = free.and(firstFailed()
                    .isNull()
                    .or(noneBefore(EARLIER.PROCESSED_AT.isNull().and(EARLIER.RETRY_AFTER.gt(currentInstant())))));
        }
        if (holdBack == HoldBack.WAITING_OR_DEAD) {
            free = free.and(noneBefore(EARLIER.DEAD_AT.isNotNull()));
        }
        return free;
    }

    private static Condition noneBefore(Condition condition) {
        return found(
                        EARLIER,
                        EARLIER.AGGREGATE_TYPE
                                .eq(E.AGGREGATE_TYPE)
                                .and(EARLIER.AGGREGATE_ID.eq(E.AGGREGATE_ID))
                                .and(EARLIER.SEQ.lt(E.SEQ))
                                .and(condition))
                .isNull();
    }

    /**
     * The first row that meets the condition, or null. Not an EXISTS, which the planner turns into a join over all rows
     * when the statistics are old; and in the index's order, which keeps it from reading the table for the first match.
     */
    static Field<Long> found(OutboxEvents table, Condition condition) {
        return field(select(table.SEQ)
                .from(table)
                .where(condition)
                .orderBy(table.SEQ)
                .limit(inline(1)));
    }
}
