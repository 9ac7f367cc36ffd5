package dev.typedoutbox.store;

import static dev.typedoutbox.db.generated.Tables.OUTBOX_DEAD_LETTERS;
import static dev.typedoutbox.db.generated.Tables.OUTBOX_EVENTS;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.noCondition;

import dev.typedoutbox.deadletter.DeadLetter;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.DSLContext;

/** Every query on dead letters. */
public final class DeadLetterStore {
    private DeadLetterStore() {}

    public static int count(DSLContext dsl) {
        return dsl.fetchCount(OUTBOX_EVENTS, OUTBOX_EVENTS.DEAD_AT.isNotNull());
    }

    public static List<DeadLetter> list(DSLContext dsl, int limit) {
        return dsl.selectFrom(OUTBOX_DEAD_LETTERS)
                .orderBy(OUTBOX_DEAD_LETTERS.SEQ)
                .limit(limit)
                .fetch(row -> new DeadLetter(
                        row.getId(),
                        row.getSeq(),
                        row.getAggregateType(),
                        row.getAggregateId(),
                        row.getEventType(),
                        row.getAttempts(),
                        row.getCreatedAt(),
                        row.getDeadAt(),
                        row.getLastError()));
    }

    public static int retry(DSLContext dsl, UUID id) {
        return revive(dsl, OUTBOX_EVENTS.ID.eq(id));
    }

    public static int retryAll(DSLContext dsl) {
        return revive(dsl, noCondition());
    }

    public static int retryAll(DSLContext dsl, String eventType) {
        return revive(dsl, OUTBOX_EVENTS.EVENT_TYPE.eq(eventType));
    }

    public static int discard(DSLContext dsl, UUID id) {
        return dsl.deleteFrom(OUTBOX_EVENTS)
                .where(OUTBOX_EVENTS.ID.eq(id))
                .and(OUTBOX_EVENTS.DEAD_AT.isNotNull())
                .execute();
    }

    private static int revive(DSLContext dsl, Condition which) {
        return dsl.update(OUTBOX_EVENTS)
                .set(OUTBOX_EVENTS.ATTEMPTS, inline(0))
                .set(OUTBOX_EVENTS.RETRY_AFTER, inline((Instant) null, OUTBOX_EVENTS.RETRY_AFTER))
                .set(OUTBOX_EVENTS.DEAD_AT, inline((Instant) null, OUTBOX_EVENTS.DEAD_AT))
                // By this the relay finds it again; one that was marked dead by hand may have none.
                .set(OUTBOX_EVENTS.LAST_ERROR, coalesce(OUTBOX_EVENTS.LAST_ERROR, inline("marked dead by hand")))
                .where(OUTBOX_EVENTS.DEAD_AT.isNotNull())
                .and(which)
                .execute();
    }
}
