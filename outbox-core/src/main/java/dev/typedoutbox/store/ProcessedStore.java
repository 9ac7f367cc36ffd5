package dev.typedoutbox.store;

import static dev.typedoutbox.db.generated.Tables.PROCESSED_EVENTS;

import java.util.UUID;
import org.jooq.DSLContext;

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
}
