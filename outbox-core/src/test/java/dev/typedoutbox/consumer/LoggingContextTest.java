package dev.typedoutbox.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.support.OutboxDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** What a handler logs can be found by the event that it was called with. */
class LoggingContextTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();
    private static final Map<String, String> BEFORE = Map.of("tenant", "acme", "event_id", "of the caller");

    private final List<Map<String, String>> seen = new ArrayList<>();

    @BeforeEach
    void begin() {
        DATABASE.empty();
        MDC.setContextMap(BEFORE);
    }

    @AfterEach
    void end() {
        MDC.clear();
    }

    @Test
    void handlerSeesItsEventAndTheCallersContextComesBack() {
        OutboxEvent event = event("1");

        consumer().apply(event);

        assertThat(seen).containsExactly(contextOf(event));
        assertThat(MDC.getCopyOfContextMap()).isEqualTo(BEFORE);
    }

    @Test
    void contextComesBackWhenTheHandlerFails() {
        IdempotentConsumer failing = IdempotentConsumer.create(DATABASE.dataSource(), "shipping", (tx, event) -> {
            MDC.put("event_id", "of the handler");
            throw new IllegalStateException("no stock");
        });

        assertThatThrownBy(() -> failing.apply(event("1"))).hasMessage("no stock");

        assertThat(MDC.getCopyOfContextMap()).isEqualTo(BEFORE);
    }

    @Test
    void eachEventOfABatchIsNamedInItsTurn() {
        List<OutboxEvent> events = List.of(event("1"), event("2"));

        consumer().applyAll(events);

        assertThat(seen).containsExactly(contextOf(events.get(0)), contextOf(events.get(1)));
        assertThat(MDC.getCopyOfContextMap()).isEqualTo(BEFORE);
    }

    private IdempotentConsumer consumer() {
        return IdempotentConsumer.create(
                DATABASE.dataSource(), "shipping", (tx, event) -> seen.add(MDC.getCopyOfContextMap()));
    }

    private static OutboxEvent event(String orderId) {
        return OutboxEvent.builder(UUID.randomUUID())
                .aggregate("order", orderId, 1)
                .eventType("order.paid")
                .build();
    }

    private static Map<String, String> contextOf(OutboxEvent event) {
        return Map.of(
                "tenant",
                "acme",
                "event_id",
                event.id().toString(),
                "event_type",
                "order.paid",
                "aggregate_id",
                event.aggregateId(),
                "consumer",
                "shipping");
    }
}
