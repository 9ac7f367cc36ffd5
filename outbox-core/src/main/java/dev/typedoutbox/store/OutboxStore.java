package dev.typedoutbox.store;

import static dev.typedoutbox.db.generated.Tables.OUTBOX_EVENTS;
import static dev.typedoutbox.store.RenderedQuery.variable;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.currentInstant;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.least;
import static org.jooq.impl.DSL.min;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.orderBy;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.sum;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.trueCondition;
import static org.jooq.impl.DSL.val;
import static org.jooq.impl.DSL.when;

import dev.typedoutbox.db.generated.tables.OutboxEvents;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.Record;
import org.jooq.Result;
import org.jooq.Row6;
import org.jooq.Select;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jooq.types.DayToSecond;

/**
 * Every query on {@code outbox_events} that the write path and the relay make. All times come from the database's clock.
 *
 * <p>Immutable; the transaction is always an argument.
 */
public final class OutboxStore {
    private static final int ROWS_PER_INSERT = 1000;
    private static final long CHARACTERS_PER_INSERT = 64L * 1024 * 1024;
    private static final OutboxEvents E = OUTBOX_EVENTS;
    private static final OutboxEvents EVENT = EventRow.EVENT;
    private static final Field<Object> CTID = field(name("ctid"));

    private static final Field<Short> BUSY_SLOT = field(name("busy", "slot"), SQLDataType.SMALLINT);

    // The first two variables are the slots.
    private static final Field<Long> LIMIT = variable(2, SQLDataType.BIGINT);
    private static final Field<Long> LIMIT_OF_SLOT = variable(3, SQLDataType.BIGINT);
    private static final Field<Integer> ROW_BYTES = variable(4, SQLDataType.INTEGER);
    private static final Field<Long> TOTAL_BYTES = variable(5, SQLDataType.BIGINT);

    private final TableOid table;
    private final HoldBack holdBack;
    private final RenderedQuery lockSlots;
    private final RenderedQuery claim;
    private final RenderedQuery candidates;

    /**
     * @param dsl makes the contexts of the transactions that are given to it
     * @param holdBack which events hold back the later ones of their aggregate
     */
    public OutboxStore(OutboxDsl dsl, HoldBack holdBack) {
        this.table = new TableOid(dsl.schema());
        this.holdBack = holdBack;
        this.lockSlots = new RenderedQuery(dsl, slotsToLock(), 3);
        this.claim = new RenderedQuery(dsl, dueRowsLocked(), 6);
        this.candidates = new RenderedQuery(
                dsl,
                select(Due.ID, Due.AGGREGATE_TYPE, Due.AGGREGATE_ID, Due.BYTES)
                        .from(dueRows())
                        .orderBy(Due.SEQ),
                4);
    }

    public static void insert(DSLContext tx, List<NewRow> rows) {
        int from = 0;
        while (from < rows.size()) {
            List<NewRow> chunk = rows.subList(from, chunkEnd(rows, from));
            from += chunk.size();
            tx.insertInto(E, E.ID, E.AGGREGATE_TYPE, E.AGGREGATE_ID, E.EVENT_TYPE, E.PAYLOAD, E.HEADERS)
                    .valuesOfRows(chunk.stream().map(OutboxStore::values).toList())
                    .execute();
        }
    }

    /** A statement is bounded in rows and in size: the protocol's messages end at 1 GiB. */
    private static int chunkEnd(List<NewRow> rows, int from) {
        long size = 0;
        int end = from;
        while (end < rows.size() && end - from < ROWS_PER_INSERT && size < CHARACTERS_PER_INSERT) {
            size += rows.get(end++).payload().length();
        }
        return end;
    }

    /**
     * Locks up to {@code limit} of the slots that have something to send, until the transaction ends. Must be a statement of
     * its own: what the former holder of a slot marked is visible only to a snapshot taken after the lock was got.
     */
    public List<Short> lockSlots(DSLContext tx, Slots slots, int limit) {
        Slots shuffled = slots.shuffled();
        return lockSlots
                .fetch(tx, shuffled.numbers(), shuffled.floors(), val((long) limit))
                .getValues(BUSY_SLOT);
    }

    private Select<?> slotsToLock() {
        // Without the limit the planner moves the lock below the other condition, where it locks every slot. The order
        // is left to chance, since slots are looked at only until enough are locked.
        Table<?> busy = select(Slots.SLOT.as("slot"))
                .from(Slots.GIVEN)
                .where(EventConditions.found(E, EventConditions.inSlot().and(EventConditions.due(E)))
                        .isNotNull())
                .limit(inline(Slots.COUNT))
                .asTable("busy");
        return select(BUSY_SLOT)
                .from(busy)
                .where(condition(function("pg_try_advisory_xact_lock", SQLDataType.BOOLEAN, table.oid(), BUSY_SLOT)))
                .limit(LIMIT);
    }

    /**
     * Locks and reads what may be sent in the given slots, oldest first, all or nothing: not if another session holds or has
     * just changed one of the rows, nor if one is too large or cannot be read. {@link #candidates} and {@link #lockEvents}
     * then tell which ones.
     *
     * @return the events, none if none is due; empty if not all could be had, some of which may be locked now
     */
    public Optional<List<PendingEvent>> claim(DSLContext tx, Slots slots, BatchBounds bounds) {
        List<PendingEvent> events = new ArrayList<>();
        Result<Record> rows = claim.fetch(
                tx,
                slots.numbers(),
                slots.floors(),
                val((long) bounds.rows()),
                val(shareOfSlot(slots, bounds.rows())),
                val(bounds.rowBytes()),
                val(bounds.bytes()));
        for (Record row : rows) {
            Optional<PendingEvent> event = readable(row);
            if (event.isEmpty()) {
                return Optional.empty();
            }
            events.add(event.get());
        }
        return Optional.of(events);
    }

    /** Rows that are due but could not be had come as well, with nothing in them. */
    private Select<?> dueRowsLocked() {
        Table<?> batch = select(
                        Due.ROW,
                        Due.ID,
                        Due.SEQ,
                        Due.BYTES,
                        sum(Due.BYTES)
                                .over(orderBy(Due.SEQ).rowsUnboundedPreceding())
                                .as("total"))
                .from(dueRows())
                .asTable("batch");
        Field<Long> own = field(name("batch", "bytes"), SQLDataType.BIGINT);
        Field<Long> total = field(name("batch", "total"), SQLDataType.BIGINT);
        Table<?> locked = lateral(select(EventRow.COLUMNS)
                        .from(EVENT)
                        // Its place spares the search for its key, and cannot change while the statement runs.
                        .where(field(name("event", "ctid")).eq(field(name("batch", "row"))))
                        .and(EVENT.ID.eq(field(name("batch", "id"), SQLDataType.UUID)))
                        .and(EVENT.BYTES.le(ROW_BYTES))
                        .and(EventConditions.stillPending(EVENT))
                        .forUpdate()
                        .skipLocked())
                .as(EVENT);
        return select(EventRow.COLUMNS)
                .from(batch)
                .leftJoin(locked)
                .on(trueCondition())
                // The first may always be larger.
                .where(total.le(TOTAL_BYTES).or(total.eq(own)))
                .orderBy(field(name("batch", "seq")));
    }

    private static Optional<PendingEvent> readable(Record row) {
        try {
            return row.get(EVENT.ID) == null ? Optional.empty() : Optional.of(toPendingEvent(row));
        } catch (RuntimeException e) {
            // Comes again in lockEvents, which tells of it.
            return Optional.empty();
        }
    }

    /** What may be sent in the given slots, oldest first. */
    public List<Candidate> candidates(DSLContext tx, Slots slots, int limit) {
        return candidates
                .fetch(tx, slots.numbers(), slots.floors(), val((long) limit), val(shareOfSlot(slots, limit)))
                .map(row -> new Candidate(
                        row.get(Due.ID),
                        new AggregateKey(row.get(Due.AGGREGATE_TYPE), row.get(Due.AGGREGATE_ID)),
                        row.get(Due.BYTES)));
    }

    /** An even share of each slot: what is read beyond the limit is read in vain. */
    private static long shareOfSlot(Slots slots, int limit) {
        return (limit + slots.size() - 1L) / slots.size();
    }

    /** The rows that may be sent in the given slots, as the table whose columns {@link Due} names. */
    private Table<?> dueRows() {
        Table<?> ofSlot = lateral(select(CTID.as("row"), E.ID, E.SEQ, E.AGGREGATE_TYPE, E.AGGREGATE_ID, E.BYTES)
                        .from(E)
                        .where(EventConditions.inSlot())
                        .and(EventConditions.due(E))
                        .and(EventConditions.free(holdBack))
                        .orderBy(E.SEQ)
                        .limit(LIMIT_OF_SLOT))
                .as("due");
        return select(Due.ROW, Due.ID, Due.SEQ, Due.AGGREGATE_TYPE, Due.AGGREGATE_ID, Due.BYTES)
                .from(Slots.GIVEN)
                .crossJoin(ofSlot)
                .orderBy(Due.SEQ)
                .limit(LIMIT)
                .asTable("due");
    }

    /** How long it is until the next retry is due; empty if none is to come. */
    public static Optional<Duration> timeToNextRetry(DSLContext tx) {
        Field<DayToSecond> left =
                field("{0} - {1}", SQLDataType.INTERVALDAYTOSECOND, min(E.RETRY_AFTER), DatabaseClock.NOW);
        return tx.select(left)
                .from(E)
                .where(EventConditions.failedBefore(E))
                .and(E.RETRY_AFTER.gt(currentInstant()))
                .fetchOptional(left)
                .map(DayToSecond::toDuration);
    }

    /**
     * Locks and reads those of the given rows that are still to be sent and that nobody else has locked. One that cannot be
     * read is told to {@code unreadable}, and does not stop the others.
     */
    public List<PendingEvent> lockEvents(
            DSLContext tx, Collection<UUID> ids, BiConsumer<UnreadEvent, RuntimeException> unreadable) {
        List<PendingEvent> events = new ArrayList<>();
        for (Record row : lockRows(tx, ids)) {
            try {
                events.add(toPendingEvent(row));
            } catch (RuntimeException e) {
                unreadable.accept(unread(row), e);
            }
        }
        return events;
    }

    private static Result<Record> lockRows(DSLContext tx, Collection<UUID> ids) {
        return tx.select(EventRow.COLUMNS)
                .from(EVENT)
                .where(EVENT.ID.eq(any(ids.toArray(UUID[]::new))))
                .and(EventConditions.stillPending(EVENT))
                .orderBy(EVENT.SEQ)
                .forUpdate()
                .skipLocked()
                .fetch();
    }

    /** Locks those of the given rows that are still to be sent and that nobody else has locked, without reading them. */
    public List<UnreadEvent> lockUnread(DSLContext tx, Collection<UUID> ids) {
        return tx.select(EVENT.ID, EVENT.AGGREGATE_TYPE, EVENT.AGGREGATE_ID, EVENT.EVENT_TYPE, EVENT.ATTEMPTS)
                .from(EVENT)
                .where(EVENT.ID.eq(any(ids.toArray(UUID[]::new))))
                .and(EventConditions.stillPending(EVENT))
                .forUpdate()
                .skipLocked()
                .fetch(OutboxStore::unread);
    }

    private static UnreadEvent unread(Record row) {
        return new UnreadEvent(
                row.get(EVENT.ID),
                new AggregateKey(row.get(EVENT.AGGREGATE_TYPE), row.get(EVENT.AGGREGATE_ID)),
                row.get(EVENT.EVENT_TYPE),
                row.get(EVENT.ATTEMPTS));
    }

    public int markProcessed(DSLContext tx, Collection<UUID> ids) {
        return tx.update(E)
                .set(E.PROCESSED_AT, DatabaseClock.NOW)
                .where(E.ID.eq(any(ids.toArray(UUID[]::new))))
                .and(EventConditions.stillPending(E))
                .execute();
    }

    public int deletePublished(DSLContext tx, Collection<UUID> ids) {
        return tx.deleteFrom(E)
                .where(E.ID.eq(any(ids.toArray(UUID[]::new))))
                .and(EventConditions.stillPending(E))
                .execute();
    }

    /** Counts a failed attempt for each; those without a time for the next one become dead letters. */
    public int recordFailures(DSLContext tx, List<Failure> failures) {
        UUID[] ids = failures.stream().map(Failure::id).toArray(UUID[]::new);
        String[] errors = failures.stream().map(Failure::error).toArray(String[]::new);
        DayToSecond[] delays = failures.stream().map(Failure::retryInterval).toArray(DayToSecond[]::new);
        // jOOQ has no unnest of several arrays.
        Table<?> f = table(
                        "unnest({0}, {1}, {2})",
                        val(ids, SQLDataType.UUID.array()),
                        val(errors, SQLDataType.CLOB.array()),
                        val(delays, SQLDataType.INTERVALDAYTOSECOND.array()))
                .as("f", "id", "error", "delay");
        Field<DayToSecond> delay = field(name("f", "delay"), SQLDataType.INTERVALDAYTOSECOND);
        return tx.update(E)
                .set(
                        E.ATTEMPTS,
                        least(E.ATTEMPTS, inline(Integer.MAX_VALUE - 1)).plus(1))
                .set(E.LAST_ERROR, field(name("f", "error"), SQLDataType.CLOB))
                .set(E.RETRY_AFTER, DatabaseClock.NOW.add(delay))
                .set(E.DEAD_AT, when(delay.isNull(), DatabaseClock.NOW))
                .from(f)
                .where(E.ID.eq(field(name("f", "id"), SQLDataType.UUID)))
                .and(EventConditions.stillPending(E))
                .execute();
    }

    public static int pendingCount(DSLContext dsl) {
        return dsl.fetchCount(E, EventConditions.pending(E));
    }

    private static Row6<UUID, String, String, String, JSONB, JSONB> values(NewRow row) {
        return DSL.row(
                row.id(),
                row.aggregateType(),
                row.aggregateId(),
                row.eventType(),
                JSONB.jsonb(row.payload()),
                JSONB.jsonbOrNull(row.headers()));
    }

    private static PendingEvent toPendingEvent(Record row) {
        return new PendingEvent(EventRow.toEvent(row), row.get(EVENT.ATTEMPTS));
    }
}
