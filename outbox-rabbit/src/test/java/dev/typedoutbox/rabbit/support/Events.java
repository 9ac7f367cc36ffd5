package dev.typedoutbox.rabbit.support;

import dev.typedoutbox.OutboxEvent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

/** Events as a relay would hand them over. */
public final class Events {
    private Events() {}

    public static OutboxEvent of(String eventType) {
        return of(eventType, Map.of(), "{\"a\": 1}");
    }

    public static OutboxEvent of(String eventType, Map<String, Object> headers, String payload) {
        return OutboxEvent.builder(UUID.randomUUID())
                .aggregate("order", "42", 7)
                .eventType(eventType)
                .headers(headers)
                .createdAt(Instant.parse("2026-03-01T12:00:00Z"))
                .payload(payload.getBytes(StandardCharsets.UTF_8))
                .build();
    }

    public static OutboxEvent of(String aggregateId, long seq) {
        return OutboxEvent.builder(UUID.randomUUID())
                .aggregate("order", aggregateId, seq)
                .eventType("order.changed")
                .payload("{}".getBytes(StandardCharsets.UTF_8))
                .build();
    }

    public static List<OutboxEvent> many(int number, String eventType) {
        return IntStream.range(0, number).mapToObj(i -> of(eventType)).toList();
    }

    /** Events of so many aggregates in turn, numbered as a whole. */
    public static List<OutboxEvent> many(int number, int aggregates, String eventType) {
        return IntStream.range(0, number)
                .mapToObj(i -> OutboxEvent.builder(UUID.randomUUID())
                        .aggregate("order", "order-" + i % aggregates, i + 1)
                        .eventType(eventType)
                        .payload("{}".getBytes(StandardCharsets.UTF_8))
                        .build())
                .toList();
    }

    public static List<String> ids(List<OutboxEvent> events) {
        return events.stream().map(event -> event.id().toString()).toList();
    }
}
