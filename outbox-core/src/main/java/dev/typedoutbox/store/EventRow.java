package dev.typedoutbox.store;

import static dev.typedoutbox.db.generated.Tables.OUTBOX_EVENTS;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.db.generated.tables.OutboxEvents;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jooq.Field;
import org.jooq.Record;

/** The columns of a row that is read as an event, and how it becomes one. */
final class EventRow {
    static final OutboxEvents EVENT = OUTBOX_EVENTS.as("event");
    static final List<Field<?>> COLUMNS = List.of(
            EVENT.ID,
            EVENT.AGGREGATE_TYPE,
            EVENT.AGGREGATE_ID,
            EVENT.SEQ,
            EVENT.EVENT_TYPE,
            EVENT.HEADERS,
            EVENT.CREATED_AT,
            EVENT.PAYLOAD,
            EVENT.ATTEMPTS);

    private EventRow() {}

    static OutboxEvent toEvent(Record row) {
        return OutboxEvent.builder(row.get(EVENT.ID))
                .aggregate(row.get(EVENT.AGGREGATE_TYPE), row.get(EVENT.AGGREGATE_ID), row.get(EVENT.SEQ))
                .eventType(row.get(EVENT.EVENT_TYPE))
                .headers(HeaderJson.read(row.get(EVENT.HEADERS)))
                .createdAt(row.get(EVENT.CREATED_AT))
                .payload(row.get(EVENT.PAYLOAD).data().getBytes(StandardCharsets.UTF_8))
                .build();
    }
}
