package dev.typedoutbox.store;

import static dev.typedoutbox.db.generated.Tables.PROCESSED_EVENTS;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.unnest;
import static org.jooq.impl.DSL.val;

import java.util.Collection;
import java.util.Set;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;

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
}
