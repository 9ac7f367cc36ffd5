package dev.typedoutbox.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.support.OutboxDatabase;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator finds, and what becomes of it. */
class DeadLettersTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();

    private final DeadLetters deadLetters = DeadLetters.of(DATABASE.dataSource());

    @BeforeEach
    void fourOfSixEventsAreDead() {
        DATABASE.empty();
        DATABASE.execute("""
                insert into outbox_events
                  (aggregate_type, aggregate_id, event_type, payload, attempts, processed_at, dead_at, last_error)
                values
                  ('order',   '1', 'order.placed', '{"n": 1}', 3, null,  '2026-03-01 10:00Z', 'NO_ROUTE at 100%'),
                  ('order',   '2', 'order.placed', '{"n": 2}', 3, null,  '2026-03-02 10:00Z', 'nacked'),
                  ('order',   '1', 'order.paid',   '{"n": 3}', 0, null,  null,                null),
                  ('invoice', '1', 'invoice.sent', '{"n": 4}', 8, null,  '2026-03-03 10:00Z', 'No route at 100 %'),
                  ('order',   '1', 'order.paid',   '{"n": 5}', 0, now(), null,                null),
                  ('order',   '1', 'order.paid',   '{"n": 6}', 3, null,  '2026-03-04 10:00Z', null)""");
    }

    @ParameterizedTest
    @MethodSource
    void filterNamesWhatIsMeant(UnaryOperator<DeadLetterFilter> condition, List<Long> numbers) {
        DeadLetterFilter filter = condition.apply(DeadLetterFilter.ALL);

        assertThat(deadLetters.list(filter, 10)).extracting(DeadLetter::seq).isEqualTo(numbers);
        assertThat(deadLetters.count(filter)).isEqualTo(numbers.size());
        assertThat(deadLetters.discardAll(filter, "not wanted")).isEqualTo(numbers.size());
        assertThat(DATABASE.column(
                        "select seq from outbox_events where last_error = 'discarded: not wanted' order by 1"))
                .isEqualTo(numbers.stream().map(String::valueOf).toList());
        assertThat(deadLetters.count()).isEqualTo(4 - numbers.size());
    }

    static Stream<Arguments> filterNamesWhatIsMeant() {
        return Stream.of(
                meaning(filter -> filter, 1, 2, 4, 6),
                meaning(filter -> filter.withEventType("order.placed"), 1, 2),
                meaning(filter -> filter.withEventType("order.%")),
                meaning(filter -> filter.withAggregateType("order"), 1, 2, 6),
                meaning(filter -> filter.withAggregateId("1"), 1, 4, 6),
                meaning(filter -> filter.withAggregateType("order").withAggregateId("1"), 1, 6),
                meaning(filter -> filter.diedSince(Instant.parse("2026-03-02T10:00:00Z")), 2, 4, 6),
                meaning(filter -> filter.diedBefore(Instant.parse("2026-03-02T10:00:00Z")), 1),
                meaning(filter -> filter.withErrorContaining("100%"), 1),
                meaning(filter -> filter.withErrorContaining("%"), 1, 4),
                meaning(filter -> filter.withErrorContaining("NO_ROUTE"), 1),
                meaning(filter -> filter.withErrorContaining("No_route")),
                meaning(filter -> filter.withErrorContaining("'\\")),
                meaning(filter -> filter.withErrorContaining("nack").withAggregateId("1")));
    }

    private static Arguments meaning(UnaryOperator<DeadLetterFilter> condition, long... numbers) {
        return arguments(condition, Arrays.stream(numbers).boxed().toList());
    }

    @Test
    void pagesFollowEachOtherByNumber() {
        DeadLetterFilter orders = DeadLetterFilter.ALL.withAggregateType("order");

        assertThat(deadLetters.list(orders, 2)).extracting(DeadLetter::seq).containsExactly(1L, 2L);
        assertThat(deadLetters.list(orders, 2, 2)).extracting(DeadLetter::seq).containsExactly(6L);
        assertThat(deadLetters.list(orders, 6, 2)).isEmpty();
        assertThatThrownBy(() -> deadLetters.list(orders, 0, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("limit must be at least 1 (was 0)");
    }

    @Test
    void oneIsShownWithAllThatIsKnownOfIt() {
        UUID id = idOf(4);

        assertThat(deadLetters.find(id)).hasValueSatisfying(letter -> {
            assertThat(List.of(letter.id(), letter.seq(), letter.aggregateType(), letter.aggregateId()))
                    .isEqualTo(List.of(id, 4L, "invoice", "1"));
            assertThat(letter.eventType()).isEqualTo("invoice.sent");
            assertThat(letter.attempts()).isEqualTo(8);
            assertThat(letter.deadAt()).isEqualTo("2026-03-03T10:00:00Z");
            assertThat(letter.lastError()).isEqualTo("No route at 100 %");
            assertThat(letter.bytes()).isEqualTo("{\"n\": 4}".length());
        });
        assertThat(deadLetters.find(idOf(3))).isEmpty();
        assertThat(deadLetters.find(idOf(5))).isEmpty();
        assertThat(deadLetters.find(UUID.randomUUID())).isEmpty();
    }

    @Test
    void eventOfOneIsReadWithPayloadAndHeaders() {
        UUID id = DATABASE.publishAll(List.of(NewEvent.ofJson("order", "7", "order.created", "{\"total\": 10.00}")
                        .withHeader("tenant", "é")))
                .get(0);
        assertThat(deadLetters.event(id)).isEmpty();
        DATABASE.execute("update outbox_events set dead_at = now() where aggregate_id = '7'");

        OutboxEvent event = deadLetters.event(id).orElseThrow();

        assertThat(event.id()).isEqualTo(id);
        assertThat(event.eventType()).isEqualTo("order.created");
        assertThat(event.payloadAsText()).isEqualTo("{\"total\": 10.00}");
        assertThat(event.headers()).containsEntry("tenant", "é");
        assertThat(deadLetters.event(UUID.randomUUID())).isEmpty();
    }

    @Test
    void retriedOneBeginsAnewWithTheSameIdAndPlace() {
        UUID id = idOf(1);
        assertThat(deadLetters.retry(id)).isTrue();

        assertThat(DATABASE.value("select concat_ws(' ', id, seq, attempts, retry_after, dead_at, processed_at)"
                        + " from outbox_events where seq = 1"))
                .isEqualTo(id + " 1 0");
        assertThat(deadLetters.retry(id)).isFalse();
        assertThat(deadLetters.retry(idOf(5))).isFalse();
        assertThat(deadLetters.retry(UUID.randomUUID())).isFalse();
    }

    @Test
    void discardedOneCountsAsProcessedAndSaysWhy() {
        UUID id = idOf(1);
        assertThat(deadLetters.discard(id, "sent by hand on 1 March")).isTrue();

        assertThat(DATABASE.value(
                        "select concat_ws('|', attempts, dead_at, last_error) from outbox_events where seq = 1"
                                + " and processed_at between now() - interval '1 minute' and clock_timestamp()"))
                .isEqualTo("3|discarded: sent by hand on 1 March");
        assertThat(deadLetters.find(id)).isEmpty();
        assertThat(deadLetters.discard(id, "again")).isFalse();
        assertThat(deadLetters.retry(id)).isFalse();
        assertThat(deadLetters.discard(idOf(3), "not dead")).isFalse();
    }

    @ParameterizedTest
    @MethodSource
    void reasonThatSaysNothingOrTooMuchIsRefused(String reason, String message) {
        assertThatThrownBy(() -> deadLetters.discard(idOf(1), reason))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
        assertThatThrownBy(() -> deadLetters.discardAll(DeadLetterFilter.ALL, reason))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
        assertThat(deadLetters.count()).isEqualTo(4);
    }

    static Stream<Arguments> reasonThatSaysNothingOrTooMuchIsRefused() {
        return Stream.of(
                arguments("", "reason must be 1 to 1000 characters (was 0)"),
                arguments(" \t", "reason must say why (was blank)"),
                arguments("x".repeat(1001), "reason must be 1 to 1000 characters (was 1001)"),
                arguments("a\0", "reason must not contain U+0000 (was at index 1)"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"😀", "ä"})
    void reasonOfTheLongestKindIsKept(String character) {
        String reason = character.repeat(1000);
        assertThat(deadLetters.discard(idOf(1), reason)).isTrue();
        assertThat(DATABASE.value("select last_error from outbox_events where seq = 1"))
                .isEqualTo("discarded: " + reason);
    }

    @ParameterizedTest
    @MethodSource
    void conditionThatNoRowCanMeetIsRefused(Function<String, DeadLetterFilter> condition, String property, int most) {
        assertThatThrownBy(() -> condition.apply(""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(property + " must be 1 to " + most + " characters (was 0)");
        assertThatThrownBy(() -> condition.apply("x".repeat(most + 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(property + " must be 1 to " + most + " characters (was " + (most + 1) + ")");
        assertThatThrownBy(() -> condition.apply("\uD83D"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(property + " must not contain a lone surrogate (was U+D83D at index 0)");
        assertThat(deadLetters.list(condition.apply("😀".repeat(most)), 1)).isEmpty();
    }

    static Stream<Arguments> conditionThatNoRowCanMeetIsRefused() {
        return Stream.of(
                condition(DeadLetterFilter.ALL::withEventType, "eventType", 100),
                condition(DeadLetterFilter.ALL::withAggregateType, "aggregateType", 100),
                condition(DeadLetterFilter.ALL::withAggregateId, "aggregateId", 100),
                condition(DeadLetterFilter.ALL::withErrorContaining, "errorContaining", 2000));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0000-12-31T23:59:59.999999Z", "+294276-01-01T00:00:00Z", "+999999999-01-01T00:00:00Z"})
    void timeThatNoRowCanHoldIsRefused(String text) {
        Instant time = Instant.parse(text);

        assertThatThrownBy(() -> DeadLetterFilter.ALL.diedSince(time))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("diedSince must be in the years 1 to 294275");
        assertThatThrownBy(() -> DeadLetterFilter.ALL.diedBefore(time))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("diedBefore must be in the years 1 to 294275");
    }

    @Test
    void firstAndLastTimeThatARowCanHoldAreTaken() {
        DeadLetterFilter always = DeadLetterFilter.ALL
                .diedSince(Instant.parse("0001-01-01T00:00:00Z"))
                .diedBefore(Instant.parse("+294275-12-31T23:59:59.999999Z"));

        assertThat(deadLetters.count(always)).isEqualTo(deadLetters.count(DeadLetterFilter.ALL));
    }

    private static Arguments condition(Function<String, DeadLetterFilter> condition, String property, int most) {
        return arguments(condition, property, most);
    }

    private static UUID idOf(int seq) {
        return UUID.fromString(DATABASE.value("select id from outbox_events where seq = " + seq));
    }
}
