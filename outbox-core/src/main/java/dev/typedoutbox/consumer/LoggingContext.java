package dev.typedoutbox.consumer;

import dev.typedoutbox.OutboxEvent;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Names the event that is being applied in SLF4J's MDC, under the keys that our own log lines have, so that all that a
 * handler logs can be found by the event. When it is closed, these keys are as they were before.
 */
final class LoggingContext implements AutoCloseable {
    private final Map<String, @Nullable String> before = new LinkedHashMap<>();

    LoggingContext(String consumer, OutboxEvent event) {
        put("event_id", event.id().toString());
        put("event_type", event.eventType());
        put("aggregate_id", event.aggregateId());
        put("consumer", consumer);
    }

    private void put(String key, String value) {
        before.put(key, MDC.get(key));
        MDC.put(key, value);
    }

    @Override
    public void close() {
        before.forEach(LoggingContext::restore);
    }

    private static void restore(String key, @Nullable String value) {
        if (value == null) {
            MDC.remove(key);
        } else {
            MDC.put(key, value);
        }
    }
}
