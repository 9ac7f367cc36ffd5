package dev.typedoutbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a consumer makes of a payload, which another producer may have written. */
class ReceivedPayloadTest {
    record Amount(long cents) {}

    @Test
    void numbersAreExact() {
        OutboxEvent event = event("123456789012345678901234567890.120");
        assertThat(event.payloadAs(BigDecimal.class)).isEqualTo(new BigDecimal("123456789012345678901234567890.120"));
        assertThat(event.payloadAsTree().decimalValue())
                .isEqualTo(new BigDecimal("123456789012345678901234567890.120"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "no", "{} and more", "{\"cents\": 1}{", "1 2", "1e99999999999"})
    void whatIsNotOneJsonValueIsRefused(String json) {
        assertThatThrownBy(() -> event(json).payloadAsTree()).isInstanceOf(InvalidEventException.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"cents": 1.9}                  | a part of a cent
            {"cents": 99999999999999999999} | more than a long
            {"cents": []}                   | a list
            null                            | nothing
            """)
    void whatDoesNotFitTheTypeIsRefused(String json, String what) {
        assertThatThrownBy(() -> event(json).payloadAs(Amount.class))
                .as(what)
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContaining("Amount");
    }

    @Test
    void numberBeyondTheRangeOfATimeIsRefused() {
        assertThatThrownBy(() -> event("1e18").payloadAs(Instant.class)).isInstanceOf(InvalidEventException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\u0000b"})
    void correlationThatCouldNotTravelOnIsPassedOver(String text) {
        OutboxEvent event = OutboxEvent.builder(UUID.randomUUID())
                .headers(Map.of(OutboxEvent.CORRELATION_ID, text))
                .build();
        assertThat(event.correlationId()).isEqualTo(event.id().toString());
    }

    private static OutboxEvent event(String json) {
        return OutboxEvent.builder(UUID.randomUUID())
                .payload(json.getBytes(StandardCharsets.UTF_8))
                .build();
    }
}
