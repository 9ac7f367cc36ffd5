package dev.typedoutbox.store;

import dev.typedoutbox.OutboxEvent;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The event that a handler was called with, as a cause of those that the handler publishes. It lies in the jOOQ
 * configuration that the handler gets, and in what is derived from that, so it goes where the transaction goes: no thread
 * has it.
 */
public record Cause(String causationId, String correlationId) {
    /** Nobody else's key in the configuration's data. */
    private enum Key {
        CAUSE
    }

    public static Cause of(OutboxEvent event) {
        return new Cause(event.id().toString(), event.correlationId());
    }

    /** The cause of what is published in a transaction, or null where no event is being handled in it. */
    public static @Nullable Cause in(Configuration tx) {
        return (Cause) tx.data(Key.CAUSE);
    }

    /** The same transaction with this cause. What was given stays as it is, since it may be the caller's. */
    public DSLContext attachedTo(DSLContext tx) {
        Configuration derived = tx.configuration().derive();
        derived.data(Key.CAUSE, this);
        return derived.dsl();
    }

    /** Headers with those that name the cause, as far as they are not there. */
    public Map<String, Object> addedTo(Map<String, Object> headers) {
        Map<String, Object> all = new LinkedHashMap<>(headers);
        all.putIfAbsent(OutboxEvent.CAUSATION_ID, causationId);
        all.putIfAbsent(OutboxEvent.CORRELATION_ID, correlationId);
        return all;
    }
}
