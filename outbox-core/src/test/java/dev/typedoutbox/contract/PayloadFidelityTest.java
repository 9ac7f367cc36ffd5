package dev.typedoutbox.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.support.OutboxDatabase;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jooq.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a payload and its headers look like once they are stored. */
class PayloadFidelityTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();

    @BeforeEach
    void empty() {
        DATABASE.empty();
    }

    @ParameterizedTest
    @MethodSource
    void objectIsStoredAs(Object payload, String json) {
        DATABASE.publishAll(List.of(NewEvent.of("order", "1", "e", payload)));

        assertThat(storedPayload()).isEqualTo(json);
    }

    static Stream<Arguments> objectIsStoredAs() {
        return Stream.of(
                Arguments.of(Instant.parse("2026-01-02T03:04:05.678901Z"), "\"2026-01-02T03:04:05.678901Z\""),
                Arguments.of(LocalDate.of(2026, 1, 2), "\"2026-01-02\""),
                Arguments.of(OffsetDateTime.parse("2026-01-02T03:04:05+02:00"), "\"2026-01-02T03:04:05+02:00\""),
                Arguments.of(Duration.ofMinutes(90), "\"PT1H30M\""),
                Arguments.of(Map.of("note", Optional.of("a")), "{\"note\": \"a\"}"),
                Arguments.of(Map.of("note", Optional.empty()), "{\"note\": null}"),
                Arguments.of(new BigDecimal("10.00"), "10.00"),
                Arguments.of(new BigDecimal("1e-10"), "0.0000000001"),
                Arguments.of(new BigDecimal("123456789012345678901234567890.12"), "123456789012345678901234567890.12"),
                Arguments.of(Long.MAX_VALUE, "9223372036854775807"),
                Arguments.of("Grüße, 日本, \uD83D\uDE00", "\"Grüße, 日本, \uD83D\uDE00\""),
                Arguments.of("tab\t\u0001\"\\", "\"tab\\t\\u0001\\\"\\\\\""),
                Arguments.of(new Line("book", new BigDecimal("9.90")), "{\"item\": \"book\", \"price\": 9.90}"));
    }

    @Test
    void readyJsonKeepsNumbersAndTheLastOfEqualKeysInTheDatabasesOrder() {
        DATABASE.publishAll(
                List.of(NewEvent.ofJson("order", "1", "e", "{ \"b\" : 1.50, \"a\":1,\"a\" : \"\\u00e4\" }")));

        assertThat(storedPayload()).isEqualTo("{\"a\": \"ä\", \"b\": 1.50}");
    }

    @Test
    void textThatLooksLikeJsonIsAText() {
        DATABASE.publishAll(List.of(NewEvent.of("order", "1", "e", "{}")));

        assertThat(storedPayload()).isEqualTo("\"{}\"");
    }

    @Test
    void objectMapperOfTheApplicationIsUsed() {
        Outbox outbox = Outbox.builder()
                .objectMapper(JsonMapper.builder().findAndAddModules().build())
                .build();

        DATABASE.dsl()
                .transaction((Configuration tx) ->
                        outbox.publish(tx, NewEvent.of("order", "1", "e", LocalDate.of(2026, 1, 2))));

        assertThat(storedPayload()).isEqualTo("[2026, 1, 2]");
    }

    @Test
    void headersAreTextWholeNumbersAndBooleans() {
        UUID id = UUID.fromString("00000000-0000-7000-8000-000000000000");
        DATABASE.publishAll(List.of(NewEvent.of("order", "1", "e", "x")
                .withHeader("text", "ä")
                .withHeader("long", 1L)
                .withHeader("int", 2)
                .withHeader("boolean", true)
                .withHeader("uuid", id)
                .withHeader("instant", Instant.EPOCH)
                .withHeader("enum", DayOfWeek.MONDAY)
                .withHeader("decimal", new BigDecimal("1E+2"))));

        assertThat(DATABASE.value(
                        "select headers = jsonb_build_object('text', 'ä', 'long', 1, 'int', 2, 'boolean', true,"
                                + " 'uuid', '" + id
                                + "', 'instant', '1970-01-01T00:00:00Z', 'enum', 'MONDAY', 'decimal', '100')"
                                + " from outbox_events"))
                .isEqualTo("true");
    }

    private static String storedPayload() {
        return DATABASE.value("select payload::text from outbox_events");
    }

    record Line(String item, BigDecimal price) {}
}
