package dev.typedoutbox.testkit.outbox;

import static org.jooq.impl.DSL.currentInstant;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.val;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.testkit.outbox.StoredEvent.State;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;
import org.jooq.types.DayToSecond;

/**
 * What a test asks of the outbox's tables. By the names of their columns and not by the generated code, which only the
 * store of the library may know: a test must not need more than what every program that writes events by SQL knows.
 */
final class EventTable {
    private static final Field<UUID> ID = column("id", SQLDataType.UUID);
    private static final Field<Long> SEQ = column("seq", SQLDataType.BIGINT);
    private static final Field<String> AGGREGATE_TYPE = column("aggregate_type", SQLDataType.VARCHAR);
    private static final Field<String> AGGREGATE_ID = column("aggregate_id", SQLDataType.VARCHAR);
    private static final Field<String> EVENT_TYPE = column("event_type", SQLDataType.VARCHAR);
    private static final Field<JSONB> PAYLOAD = column("payload", SQLDataType.JSONB);
    private static final Field<JSONB> HEADERS = column("headers", SQLDataType.JSONB);
    private static final Field<Integer> ATTEMPTS = column("attempts", SQLDataType.INTEGER);
    private static final Field<Instant> CREATED_AT = column("created_at", SQLDataType.INSTANT);
    private static final Field<Instant> RETRY_AFTER = column("retry_after", SQLDataType.INSTANT);
    private static final Field<Instant> PROCESSED_AT = column("processed_at", SQLDataType.INSTANT);
    private static final Field<Instant> DEAD_AT = column("dead_at", SQLDataType.INSTANT);
    private static final Field<String> LAST_ERROR = column("last_error", SQLDataType.CLOB);

    /** By the clock that decides: the database's. */
    private static final Condition IS_WAITING = RETRY_AFTER.gt(currentInstant());

    private static final Field<Boolean> WAITING = field(IS_WAITING).as("waiting");
    private static final List<Field<?>> COLUMNS = List.of(
            ID,
            SEQ,
            AGGREGATE_TYPE,
            AGGREGATE_ID,
            EVENT_TYPE,
            PAYLOAD,
            HEADERS,
            ATTEMPTS,
            CREATED_AT,
            RETRY_AFTER,
            PROCESSED_AT,
            DEAD_AT,
            LAST_ERROR,
            WAITING);

    private final Table<Record> events;
    private final Table<Record> processedEvents;

    EventTable(String schema) {
        this.events = table(name(OutboxSchema.requireName(schema), "outbox_events"));
        this.processedEvents = table(name(schema, "processed_events"));
    }

    List<StoredEvent> all(DSLContext dsl) {
        return fetch(dsl, noCondition());
    }

    /** Those that bear the time at which the transaction began, which its nested ones share. */
    List<StoredEvent> writtenIn(DSLContext tx) {
        return fetch(tx, CREATED_AT.eq(currentInstant()));
    }

    private List<StoredEvent> fetch(DSLContext dsl, Condition condition) {
        return dsl.select(COLUMNS).from(events).where(condition).orderBy(SEQ).fetch(EventTable::toEvent);
    }

    /** Not to null: a row that has failed keeps a time in the past. */
    int makeRetriesDue(DSLContext tx) {
        return tx.update(events)
                .set(RETRY_AFTER, function("clock_timestamp", SQLDataType.INSTANT))
                .where(PROCESSED_AT.isNull())
                .and(IS_WAITING)
                .execute();
    }

    void makeOlder(DSLContext tx, Duration time) {
        Field<DayToSecond> interval = val(DayToSecond.valueOf(time));
        tx.update(events)
                .set(CREATED_AT, CREATED_AT.sub(interval))
                .set(RETRY_AFTER, RETRY_AFTER.sub(interval))
                .set(PROCESSED_AT, PROCESSED_AT.sub(interval))
                .set(DEAD_AT, DEAD_AT.sub(interval))
                .execute();
        tx.update(processedEvents).set(PROCESSED_AT, PROCESSED_AT.sub(interval)).execute();
    }

    /** The sequence goes on: a relay that is at work expects no number that it has seen before. */
    void truncate(DSLContext tx, Duration longestWait) {
        tx.setLocal(name("lock_timeout"), inline(longestWait.toMillis() + "ms")).execute();
        tx.truncate(events).execute();
        tx.truncate(processedEvents).execute();
    }

    private static StoredEvent toEvent(Record row) {
        OutboxEvent event = OutboxEvent.builder(row.get(ID))
                .aggregate(row.get(AGGREGATE_TYPE), row.get(AGGREGATE_ID), row.get(SEQ))
                .eventType(row.get(EVENT_TYPE))
                .headers(JsonText.headers(row.get(HEADERS)))
                .createdAt(row.get(CREATED_AT))
                .payload(row.get(PAYLOAD).data().getBytes(StandardCharsets.UTF_8))
                .build();
        return new StoredEvent(event, state(row), row.get(ATTEMPTS), row.get(RETRY_AFTER), row.get(LAST_ERROR));
    }

    private static State state(Record row) {
        if (row.get(DEAD_AT) != null) {
            return State.DEAD;
        }
        if (row.get(PROCESSED_AT) != null) {
            return State.PROCESSED;
        }
        return Boolean.TRUE.equals(row.get(WAITING)) ? State.WAITING : State.DUE;
    }

    private static <T> Field<T> column(String column, DataType<T> type) {
        return field(name(column), type);
    }
}
