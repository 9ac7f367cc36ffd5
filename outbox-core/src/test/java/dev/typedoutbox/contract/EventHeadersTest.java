package dev.typedoutbox.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.typedoutbox.EventHeaders;
import dev.typedoutbox.InvalidEventException;
import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.IdempotentConsumer;
import dev.typedoutbox.support.OutboxDatabase;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jooq.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of the headers that an outbox adds to its events. */
class EventHeadersTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();
    private static final NewEvent EVENT = NewEvent.of("order", "1", "order.placed", "x");
    private static final EventHeaders TENANT = (id, event) -> Map.of("tenant", "acme");
    private static final int MAX_BYTES = 64 * 1024;

    @BeforeEach
    void empty() {
        DATABASE.empty();
    }

    @Test
    void everyWayToPublishAddsThem() throws Exception {
        Outbox outbox = adding(TENANT);
        DATABASE.dsl().transaction((Configuration tx) -> {
            outbox.publish(tx, EVENT);
            outbox.publish(tx.dsl(), EVENT);
            outbox.publishAll(tx, List.of(EVENT, EVENT));
            outbox.publishAll(tx.dsl(), List.of(EVENT));
        });
        try (Connection tx = DATABASE.dataSource().getConnection()) {
            tx.setAutoCommit(false);
            outbox.publish(tx, EVENT);
            outbox.publishAll(tx, List.of(EVENT, EVENT));
            tx.commit();
        }

        assertThat(DATABASE.count("true")).isEqualTo(8);
        assertThat(DATABASE.count("headers = '{\"tenant\": \"acme\"}'")).isEqualTo(8);
    }

    @Test
    void sourceIsToldTheIdAndTheEvent() {
        List<UUID> ids = new ArrayList<>();

        UUID id = publish(
                adding((given, event) -> {
                    ids.add(given);
                    return Map.of("of", event.eventType() + " " + event.aggregateId());
                }),
                EVENT);

        assertThat(ids).containsExactly(id);
        assertThat(headers()).isEqualTo("{\"of\": \"order.placed 1\"}");
    }

    @Test
    void headersOfTheEventAndOfEarlierSourcesWin() {
        Outbox outbox = adding(
                (id, event) -> Map.of("a", "first", "b", "first"), (id, event) -> Map.of("b", "second", "c", "second"));

        publish(outbox, EVENT.withHeader("a", "own"));

        assertThat(headers()).isEqualTo("{\"a\": \"own\", \"b\": \"first\", \"c\": \"second\"}");
    }

    @Test
    void headersThatNameTheCauseWin() {
        Outbox outbox = adding((id, event) -> Map.of("causation_id", "mine", "correlation_id", "mine"));
        OutboxEvent cause = OutboxEvent.builder(UUID.randomUUID()).build();

        IdempotentConsumer.create(DATABASE.dataSource(), "shipping", (tx, event) -> outbox.publish(tx, EVENT))
                .apply(cause);
        assertThat(DATABASE.value("select headers ->> 'causation_id' from outbox_events"))
                .isEqualTo(cause.id().toString());

        empty();
        publish(outbox, EVENT);
        assertThat(DATABASE.value("select headers ->> 'correlation_id' from outbox_events"))
                .isEqualTo("mine");
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("bad")
    void whatBreaksARuleIsRefusedAndTheTransactionGoesOn(EventHeaders bad, String message) {
        Outbox outbox = adding(bad);

        refuseAndGoOn(outbox, InvalidEventException.class, message);
    }

    static Stream<Arguments> bad() {
        String carried =
                "header \"h\" must be text, a whole number, a boolean, or a UUID, time, enum constant or decimal"
                        + " number, which become text (was ";
        return Stream.of(
                arguments(
                        source(Map.of("seq", 1)),
                        "header name must not be one of [aggregate_id, aggregate_type, seq], which every message carries"
                                + " (was \"seq\")"),
                arguments(source(Map.of("h", List.of())), carried + "java.util.ImmutableCollections$ListN)"),
                arguments(source(Collections.singletonMap("h", null)), carried + "null)"),
                arguments(
                        source(Collections.singletonMap(null, "x")),
                        "header name must be 1 to 255 bytes in UTF-8 (was null)"),
                arguments(
                        source(Map.of("h", "x".repeat(MAX_BYTES))),
                        "headers must be at most 65536 bytes as JSON (was 65544)"),
                arguments(
                        new Nothing(),
                        "added headers must be a map, which may be empty (was null, of " + Nothing.class.getName()
                                + ")"));
    }

    @Test
    void whatASourceThrowsReachesTheCallerAndTheTransactionGoesOn() {
        refuseAndGoOn(
                adding((id, event) -> {
                    throw new IllegalStateException("no tenant");
                }),
                IllegalStateException.class,
                "no tenant");
    }

    @Test
    void optionalOnesThatBreakARuleAreLeftOutAndRequiredOnesStay() {
        Outbox outbox = adding(optional(Map.of("trace", "x".repeat(MAX_BYTES))), TENANT);

        publish(outbox, EVENT.withHeader("own", 1));

        assertThat(headers()).isEqualTo("{\"own\": 1, \"tenant\": \"acme\"}");
    }

    @Test
    void optionalOnesThatFitAreAdded() {
        publish(adding(optional(Map.of("trace", "x")), TENANT), EVENT);

        assertThat(headers()).isEqualTo("{\"trace\": \"x\", \"tenant\": \"acme\"}");
    }

    @Test
    void optionalOnesDoNotExcuseABadEvent() {
        Outbox outbox = adding(optional(Map.of("trace", "x")));

        assertThatThrownBy(() -> publish(outbox, EVENT.withHeader("h", List.of())))
                .isInstanceOf(InvalidEventException.class)
                .hasMessageStartingWith("header \"h\" must be text");
        assertThat(DATABASE.count("true")).isZero();
    }

    @Test
    void mapOfASourceIsNotChanged() {
        Map<String, Object> same = Collections.unmodifiableMap(new HashMap<>(Map.of("tenant", "acme")));
        Outbox outbox = adding(source(same), (id, event) -> Map.of("other", 1));

        publish(outbox, EVENT);
        publish(outbox, EVENT);

        assertThat(DATABASE.count("headers = '{\"tenant\": \"acme\", \"other\": 1}'"))
                .isEqualTo(2);
    }

    /** Publishes good events before and after the bad one, which must leave no trace. */
    private static void refuseAndGoOn(Outbox outbox, Class<? extends Exception> type, String message) {
        Outbox plain = Outbox.create();
        DATABASE.dsl().transaction((Configuration tx) -> {
            plain.publish(tx, EVENT);
            assertThatThrownBy(() -> outbox.publishAll(tx, List.of(EVENT, EVENT)))
                    .isInstanceOf(type)
                    .hasMessage(message);
            plain.publish(tx, EVENT);
        });

        assertThat(DATABASE.count("true")).isEqualTo(2);
    }

    private static Outbox adding(EventHeaders... sources) {
        Outbox.Builder builder = Outbox.builder();
        for (EventHeaders source : sources) {
            builder.headers(source);
        }
        return builder.build();
    }

    private static UUID publish(Outbox outbox, NewEvent event) {
        return DATABASE.dsl().transactionResult((Configuration tx) -> outbox.publish(tx, event));
    }

    /** Those of the one event, as PostgreSQL prints them: shorter names first. */
    private static String headers() {
        return DATABASE.value("select headers::text from outbox_events");
    }

    private static EventHeaders source(Map<String, Object> headers) {
        return (id, event) -> headers;
    }

    private static EventHeaders optional(Map<String, Object> headers) {
        return new EventHeaders() {
            @Override
            public Map<String, Object> of(UUID id, NewEvent event) {
                return headers;
            }

            @Override
            public boolean areOptional() {
                return true;
            }
        };
    }

    private static final class Nothing implements EventHeaders {
        @Override
        public Map<String, Object> of(UUID id, NewEvent event) {
            return null;
        }
    }
}
