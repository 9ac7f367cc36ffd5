package dev.typedoutbox.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.support.OutboxDatabase;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class EventLogContextTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();

    private final OutboxEvent event = OutboxEvent.builder(UUID.randomUUID())
            .aggregate("order", "4711", 1)
            .eventType("order.placed")
            .build();
    private final Map<String, String> seen = new HashMap<>();

    @AfterEach
    void clear() {
        MDC.clear();
    }

    @Test
    void handlersLinesNameTheEvent() {
        consumer("shipping", (tx, received) -> seen.putAll(MDC.getCopyOfContextMap()))
                .apply(event);

        assertThat(seen)
                .containsOnly(
                        Map.entry("event_id", event.id().toString()),
                        Map.entry("event_type", "order.placed"),
                        Map.entry("aggregate_id", "4711"));
        assertThat(MDC.get("event_id")).isNull();
    }

    @Test
    void whatWasThereIsBackAfterwardsEvenWhenTheHandlerFails() {
        MDC.put("event_id", "outer");
        MDC.put("request", "7");

        assertThatThrownBy(() -> consumer("billing", (tx, received) -> {
                            seen.putAll(MDC.getCopyOfContextMap());
                            throw new IllegalStateException("on purpose");
                        })
                        .apply(event))
                .hasMessage("on purpose");

        assertThat(seen).containsEntry("event_id", event.id().toString()).containsEntry("request", "7");
        assertThat(MDC.getCopyOfContextMap()).isEqualTo(Map.of("event_id", "outer", "request", "7"));
    }

    private static IdempotentConsumer consumer(String name, EventHandler handler) {
        return IdempotentConsumer.create(DATABASE.dataSource(), name, EventLogContext.around(handler));
    }
}
