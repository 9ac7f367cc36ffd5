package dev.typedoutbox.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.typedoutbox.InvalidEventException;
import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.support.OutboxDatabase;
import java.math.BigDecimal;
import java.util.ArrayList;
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

/** What is refused, in which words, and that the caller's transaction goes on. */
class RefusalTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();
    private static final String X101 = "x".repeat(101);
    private static final String X40 = "x".repeat(40);
    private static final String NUL = "\0";
    private static final String HIGH = "\uD83D";
    private static final String LOW = "\uDE00";
    private static final String NUMERIC =
            " must have at most 131072 digits before and 16383 after the decimal point, as PostgreSQL's numeric (was ";

    private final Outbox outbox =
            Outbox.builder().maxPayloadBytes(2 * 1024 * 1024).build();

    @BeforeEach
    void empty() {
        DATABASE.empty();
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource({"names", "headers", "texts", "json"})
    void badEventIsRefusedInClearWordsAndTheTransactionGoesOn(NewEvent bad, String message) {
        DATABASE.dsl().transaction((Configuration tx) -> {
            outbox.publish(tx, NewEvent.of("order", "1", "before", "x"));
            assertThatThrownBy(() -> outbox.publish(tx, bad))
                    .isInstanceOf(InvalidEventException.class)
                    .hasMessage(message);
            outbox.publish(tx, NewEvent.of("order", "1", "after", "x"));
        });

        assertThat(DATABASE.column("select event_type from outbox_events order by seq"))
                .containsExactly("before", "after");
    }

    static Stream<Arguments> names() {
        return Stream.of(
                arguments(named("", "1", "e"), "aggregateType must be 1 to 100 characters (was 0)"),
                arguments(named("order", "", "e"), "aggregateId must be 1 to 100 characters (was 0)"),
                arguments(named("order", "1", ""), "eventType must be 1 to 100 characters (was 0)"),
                arguments(
                        named(X101, "1", "e"),
                        "aggregateType must be 1 to 100 characters (was 101: \"" + X40 + "...\")"),
                arguments(
                        named("order", X101, "e"),
                        "aggregateId must be 1 to 100 characters (was 101: \"" + X40 + "...\")"),
                arguments(
                        named("order", "1", X101),
                        "eventType must be 1 to 100 characters (was 101: \"" + X40 + "...\")"),
                arguments(
                        named("order", "1", "ä".repeat(100) + NUL),
                        "eventType must be 1 to 100 characters (was 101: \"" + "ä".repeat(40) + "...\")"),
                arguments(
                        named("order", "1", "日".repeat(86)),
                        "eventType, the routing key, must be at most 255 bytes in UTF-8 (was 258: \"" + "日".repeat(40)
                                + "...\")"),
                arguments(named("a" + NUL, "1", "e"), "aggregateType must not contain U+0000 (was at index 1)"),
                arguments(named("order", NUL, "e"), "aggregateId must not contain U+0000 (was at index 0)"),
                arguments(named("order", "1", NUL), "eventType must not contain U+0000 (was at index 0)"),
                arguments(
                        named("order", "1" + HIGH, "e"),
                        "aggregateId must not contain a lone surrogate (was U+D83D at index 1)"),
                arguments(
                        named("order", LOW + HIGH, "e"),
                        "aggregateId must not contain a lone surrogate (was U+DE00 at index 0)"));
    }

    static Stream<Arguments> headers() {
        String carried = " must be text, a whole number, a boolean, or a UUID, time, enum constant or decimal number,"
                + " which become text (was ";
        return Stream.of(
                arguments(header("", "x"), "header name must be 1 to 255 bytes in UTF-8 (was empty)"),
                arguments(
                        header("x".repeat(256), "x"),
                        "header name must be at most 255 bytes in UTF-8 (was 256: \"" + X40 + "...\")"),
                arguments(header("a" + NUL, "x"), "header name must not contain U+0000 (was at index 1)"),
                arguments(header(HIGH, "x"), "header name must not contain a lone surrogate (was U+D83D at index 0)"),
                arguments(header("h", "a" + NUL), "header \"h\" must not contain U+0000 (was at index 1)"),
                arguments(header("h", LOW), "header \"h\" must not contain a lone surrogate (was U+DE00 at index 0)"),
                arguments(
                        header("seq", 1),
                        "header name must not be one of [aggregate_id, aggregate_type, seq], which every message carries"
                                + " (was \"seq\")"),
                arguments(
                        header("h", List.of("a")), "header \"h\"" + carried + "java.util.ImmutableCollections$List12)"),
                arguments(header("h", new byte[0]), "header \"h\"" + carried + "[B)"),
                arguments(
                        header("h", "x".repeat(64 * 1024)), "headers must be at most 65536 bytes as JSON (was 65544)"));
    }

    static Stream<Arguments> texts() {
        String nul = " must not contain U+0000 (was at index 1)";
        String high = " must not contain a lone surrogate (was U+D83D at index 1)";
        return Stream.of(
                arguments(payload("a" + NUL), "payload" + nul),
                arguments(payload(Map.of("a", List.of("ok", "x" + NUL))), "payload/a/1" + nul),
                arguments(payload(Map.of("a", Map.of("b" + NUL, 1))), "payload/a/b\uFFFD" + nul),
                arguments(payload(Map.of("a", "x" + HIGH)), "payload/a" + high),
                arguments(ready("{\"a\":[\"x\\u0000\"]}"), "payload/a/0" + nul),
                arguments(ready("{\"b\\u0000\":1}"), "payload/b\uFFFD" + nul),
                arguments(ready("{\"a\":\"x\\ud83d\"}"), "payload/a" + high),
                arguments(ready("{\"a\":\"x\\ud83dx\"}"), "payload/a" + high),
                arguments(ready("{\"a\":\"x" + HIGH + "\"}"), "payload/a" + high),
                arguments(
                        ready("{\"a/b~\":\"x\\ude00\\ud83d\"}"),
                        "payload/a~1b~0 must not contain a lone surrogate (was U+DE00 at index 1)"));
    }

    static Stream<Arguments> json() {
        return Stream.of(
                arguments(ready(""), "payload must be one JSON value (was empty)"),
                arguments(ready("  "), "payload must be one JSON value (was empty)"),
                arguments(ready("{} {}"), "payload must be one JSON value (was followed by another)"),
                arguments(
                        ready("1,"),
                        invalid("Unexpected character (',' (code 44)): Expected space separating root-level values")),
                arguments(ready("1e131072"), "payload" + NUMERIC + "131073 and 0)"),
                arguments(ready("{\"a\":1e-16384}"), "payload/a" + NUMERIC + "1 and 16384)"),
                arguments(ready("[1e99999999999]"), "payload/0" + NUMERIC + "an exponent beyond all bounds)"),
                arguments(ready("[" + "1".repeat(131_073) + "]"), "payload/0" + NUMERIC + "131073 and 0)"),
                arguments(
                        ready("\"\\ud83d\ude00\""),
                        "payload must not contain a lone surrogate (was U+DE00 at index 7)"),
                arguments(
                        ready("[" + "-1e-5,".repeat(240_000) + "1]"),
                        "payload must be at most 2097152 bytes (was 2400004 as the database may spell it): send a reference"
                                + " to large content instead, or raise maxPayloadBytes"),
                arguments(payload(new BigDecimal("1E+2147483647")), "payload" + NUMERIC + "2147483648 and 0)"),
                arguments(
                        ready("[".repeat(1001) + "]".repeat(1001)),
                        "payload must be nested at most 1000 levels deep (was deeper)"),
                arguments(
                        ready("[".repeat(100_000) + "]".repeat(100_000)),
                        "payload must be nested at most 1000 levels deep (was deeper)"),
                arguments(
                        ready("\"" + "é".repeat(1024 * 1024) + "\""),
                        "payload must be at most 2097152 bytes (was 2097154): send a reference to large content instead,"
                                + " or raise maxPayloadBytes"),
                arguments(
                        ready("[" + "1e131071,".repeat(20) + "1]"),
                        "payload must be at most 2097152 bytes (was 2621484 as the database may spell it): send a reference"
                                + " to large content instead, or raise maxPayloadBytes"));
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    void whatIsNoJsonIsRefusedWithTheParsersReasonAndTheTransactionGoesOn(NewEvent bad) {
        DATABASE.dsl().transaction((Configuration tx) -> {
            assertThatThrownBy(() -> outbox.publish(tx, bad))
                    .isInstanceOf(InvalidEventException.class)
                    .hasMessageMatching("payload must be (valid JSON|an object that Jackson can write) \\(was .+\\)");
            outbox.publish(tx, NewEvent.of("order", "1", "after", "x"));
        });

        assertThat(DATABASE.count("true")).isEqualTo(1);
    }

    static Stream<NewEvent> unreadable() {
        NewEvent numberThatTakesLongToRead = ready("[" + "1".repeat(900_000) + "]");
        List<Object> itself = new ArrayList<>();
        itself.add(itself);
        return Stream.of(
                numberThatTakesLongToRead,
                ready("{"),
                ready("{\"a\":}"),
                ready("nul"),
                ready("'a'"),
                ready("01"),
                ready("1."),
                ready("NaN"),
                ready("\uFEFF1"),
                ready("\"a\nb\""),
                ready("\"a" + NUL + "\""),
                ready("\"\\x\""),
                payload(itself),
                payload(new Object()),
                payload(new Failing(List.of())));
    }

    @Test
    void namesOfAHundredAstralCharactersAreFine() {
        String name = "\uD83D\uDE00".repeat(100);

        DATABASE.publishAll(List.of(NewEvent.of(name, name, "order.created", "x")));

        assertThat(DATABASE.value("select aggregate_type || aggregate_id from outbox_events"))
                .isEqualTo(name + name);
    }

    @Test
    void largestNumbersAreFine() {
        String largest = "9".repeat(131_072) + "." + "1".repeat(16_383);

        DATABASE.publishAll(List.of(ready(largest)));

        assertThat(DATABASE.value("select payload::text from outbox_events")).isEqualTo(largest);
    }

    @Test
    void deepestNestingIsFine() {
        DATABASE.publishAll(List.of(ready("[".repeat(1000) + "]".repeat(1000))));

        assertThat(DATABASE.count("true")).isEqualTo(1);
    }

    @Test
    void payloadsLimitMustBePositive() {
        assertThatThrownBy(() -> Outbox.builder().maxPayloadBytes(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maxPayloadBytes must be at least 1 (was 0)");
    }

    @Test
    void headerThatIsNullIsRefusedWhereItIsGiven() {
        assertThatThrownBy(() -> header("h", null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("value");
    }

    private static NewEvent named(String aggregateType, String aggregateId, String eventType) {
        return NewEvent.of(aggregateType, aggregateId, eventType, "x");
    }

    private static NewEvent header(String name, Object value) {
        return named("order", "1", "e").withHeader(name, value);
    }

    private static NewEvent payload(Object payload) {
        return NewEvent.of("order", "1", "e", payload);
    }

    private static NewEvent ready(String json) {
        return NewEvent.ofJson("order", "1", "e", json);
    }

    private static String invalid(String reason) {
        return "payload must be valid JSON (was not: " + reason + ")";
    }

    /** An object whose property cannot be read. */
    record Failing(List<UUID> ids) {
        public UUID getFirst() {
            return ids.get(0);
        }
    }
}
