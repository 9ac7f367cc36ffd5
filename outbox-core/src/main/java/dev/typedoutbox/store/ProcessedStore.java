package dev.typedoutbox.store;

import static dev.typedoutbox.db.generated.Tables.PROCESSED_EVENTS;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.currentInstant;
import static org.jooq.impl.DSL.deleteFrom;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.max;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.unnest;
import static org.jooq.impl.DSL.val;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Set;
import java.util.UUID;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record1;
import org.jooq.RowId;
import org.jooq.Select;
import org.jooq.impl.SQLDataType;
import org.jooq.types.DayToSecond;
import org.jspecify.annotations.Nullable;

/** Every query on {@code processed_events}. */
public final class ProcessedStore {
    private ProcessedStore() {}

    /**
     * Records that a consumer applies an event. Waits for a transaction that is applying the same one: when that commits
     * this is a duplicate, when it rolls back this one does the work.
     *
     * @return whether the event is new to the consumer
     */
    public static boolean recordApplied(DSLContext tx, String consumer, UUID eventId) {
        return tx.insertInto(PROCESSED_EVENTS, PROCESSED_EVENTS.CONSUMER, PROCESSED_EVENTS.EVENT_ID)
                        .values(consumer, eventId)
                        .onConflictDoNothing()
                        .execute()
                == 1;
    }

    /**
     * Records that a consumer applies several events, in one statement.
     *
     * @return those that are new to the consumer
     */
    public static Set<UUID> recordAllApplied(DSLContext tx, String consumer, Collection<UUID> eventIds) {
        // In one order for all, or two transactions could wait for each other.
        UUID[] ids = eventIds.stream().sorted().toArray(UUID[]::new);
        Field<UUID> id = field(name("ids", "id"), SQLDataType.UUID);
        return tx.insertInto(PROCESSED_EVENTS, PROCESSED_EVENTS.CONSUMER, PROCESSED_EVENTS.EVENT_ID)
                .select(select(val(consumer), id).from(unnest(ids).as("ids", "id")))
                .onConflictDoNothing()
                .returning(PROCESSED_EVENTS.EVENT_ID)
                .fetch()
                .intoSet(PROCESSED_EVENTS.EVENT_ID);
    }

    /**
     * Keeps the planner on the index of the times for this transaction, whatever it believes of the table: plans that suit
     * the statistics of an hour ago read all old records for each batch.
     */
    public static void preparePurge(DSLContext tx) {
        tx.setLocal(name("enable_seqscan"), inline("off")).execute();
        tx.setLocal(name("enable_bitmapscan"), inline("off")).execute();
    }

    /**
     * Deletes records that are older than the retention and that nobody has locked, the oldest first.
     *
     * @param from the time below which nothing is looked for; null for none. What the batches before have deleted stays in
     *     the index while an old snapshot is open, and each would walk over it again.
     */
    public static PurgedBatch purge(DSLContext tx, Duration retention, @Nullable Instant from, int limit) {
        Condition old = PROCESSED_EVENTS.PROCESSED_AT.lt(currentInstant().sub(val(DayToSecond.valueOf(retention))));
        // Not above it: many records can have one time, and the limit may have parted them.
        Condition unseen = from == null ? noCondition() : PROCESSED_EVENTS.PROCESSED_AT.ge(from);
        Select<Record1<RowId>> places = select(PROCESSED_EVENTS.rowid())
                .from(PROCESSED_EVENTS)
                .where(old)
                .and(unseen)
                .orderBy(PROCESSED_EVENTS.PROCESSED_AT)
                .limit(limit)
                .forUpdate()
                .skipLocked();
        // Locked rows do not move. An array is found once for the statement; a join could lock more than the limit.
        CommonTableExpression<Record1<Instant>> purged = name("purged")
                .as(deleteFrom(PROCESSED_EVENTS)
                        .where(PROCESSED_EVENTS.rowid().eq(any(array(places))))
                        .returningResult(PROCESSED_EVENTS.PROCESSED_AT));
        return tx.with(purged)
                .select(count(), max(purged.field(PROCESSED_EVENTS.PROCESSED_AT)))
                .from(purged)
                .fetchSingle(row -> new PurgedBatch(row.value1(), row.value2()));
    }
}
