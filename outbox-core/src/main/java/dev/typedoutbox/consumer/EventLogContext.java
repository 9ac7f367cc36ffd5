package dev.typedoutbox.consumer;

import dev.typedoutbox.OutboxEvent;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Names the event in each line that is logged while its handler runs: in SLF4J's MDC, as {@code event_id},
 * {@code event_type} and {@code aggregate_id}, which are the keys of the library's own lines.
 */
public final class EventLogContext {
    private EventLogContext() {}

    /**
     * Sets the keys around each call of a handler. What the MDC held under them is back afterwards.
     *
     * @param handler what is called
     * @return what to give to {@link IdempotentConsumer}
     */
    public static EventHandler around(EventHandler handler) {
        Objects.requireNonNull(handler, "handler");
        return (tx, event) -> {
            Map<String, @Nullable String> before = new HashMap<>();
            keys(event).forEach((key, value) -> {
                before.put(key, MDC.get(key));
                MDC.put(key, value);
            });
            try {
                handler.handle(tx, event);
            } finally {
                before.forEach(EventLogContext::restore);
            }
        };
    }

    private static Map<String, String> keys(OutboxEvent event) {
        return Map.of(
                "event_id",
                event.id().toString(),
                "event_type",
                event.eventType(),
                "aggregate_id",
                event.aggregateId());
    }

    private static void restore(String key, @Nullable String before) {
        if (before == null) {
            MDC.remove(key);
        } else {
            MDC.put(key, before);
        }
    }
}
