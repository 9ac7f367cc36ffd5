package dev.typedoutbox.testkit.publisher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.relay.EventPublisher;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.PublisherSession;
import dev.typedoutbox.testkit.publisher.PublisherFixture.Fate;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;

/** Events as a relay would hand them over. */
final class SampleEvents {
    /** How many events {@link #slowestOf} sends together. */
    static final int GROUP = 20;

    private static final Instant CREATED = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Map<Fate, String> types = new EnumMap<>(Fate.class);

    SampleEvents(PublisherFixture fixture) {
        for (Fate fate : Fate.values()) {
            fixture.eventType(fate).ifPresent(type -> types.put(fate, type));
        }
        // Or all tests would be skipped, and the suite be passed.
        assertThat(types).as("fates that the publisher knows").containsKey(Fate.ACCEPTED);
    }

    /** Skips the test where the publisher knows no such fate. */
    OutboxEvent of(Fate fate) {
        return event(fate, Map.of(), "{\"a\": 1}");
    }

    List<OutboxEvent> accepted(int number) {
        return many(number, Fate.ACCEPTED);
    }

    List<OutboxEvent> many(int number, Fate fate) {
        return IntStream.range(0, number).mapToObj(i -> of(fate)).toList();
    }

    /** An event whose payload is a JSON string. */
    OutboxEvent withText(String text) {
        return event(Fate.ACCEPTED, Map.of(), "\"" + text + "\"");
    }

    OutboxEvent withHeaders(Map<String, Object> headers) {
        return event(Fate.ACCEPTED, headers, "1");
    }

    /** Sends groups of small, empty and large events in a session of its own, and tells how long the slowest took. */
    Duration slowestOf(EventPublisher publisher, int groups) {
        Duration slowest = Duration.ZERO;
        try (PublisherSession session = publisher.open()) {
            for (int i = 0; i < groups; i++) {
                List<OutboxEvent> group = IntStream.range(0, GROUP)
                        .mapToObj(SampleEvents.this::ofSomeSize)
                        .toList();
                long start = System.nanoTime();
                assertThat(session.publish(group, LONG)).containsOnly(PublishOutcome.confirmed());
                Duration took = Duration.ofNanos(System.nanoTime() - start);
                slowest = took.compareTo(slowest) > 0 ? took : slowest;
            }
        }
        return slowest;
    }

    private OutboxEvent ofSomeSize(int number) {
        return withText(number == 0 ? "x".repeat(300 * 1024) : "x".repeat(number % 2 * 200));
    }

    private OutboxEvent event(Fate fate, Map<String, Object> headers, String payload) {
        String type = types.get(fate);
        assumeTrue(type != null, () -> "the publisher knows no event that is " + fate);
        return OutboxEvent.builder(UUID.randomUUID())
                .aggregate("order", "42", 7)
                .eventType(Objects.requireNonNull(type))
                .headers(headers)
                .createdAt(CREATED)
                .payload(payload.getBytes(StandardCharsets.UTF_8))
                .build();
    }
}
