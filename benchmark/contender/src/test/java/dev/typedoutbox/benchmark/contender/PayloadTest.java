package dev.typedoutbox.benchmark.contender;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadTest {
    @ParameterizedTest
    @ValueSource(longs = {0, 7, 65_536, 999_999})
    void hasTheSizeThatWasAskedForAndTellsItsNumber(long number) {
        String payload = Payload.of(number, 300);

        assertThat(payload).hasSize(300);
        assertThat(Payload.number(payload.getBytes(UTF_8))).isEqualTo(number);
    }

    @Test
    void numberIsReadFromAnEscapedPayloadInsideAMessage() {
        String message = "{\"payload\":\"" + Payload.of(42, 100).replace("\"", "\\\"") + "\"}";

        assertThat(Payload.number(message.getBytes(UTF_8))).isEqualTo(42);
    }

    @Test
    void messageWithoutANumberIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Payload.number("{}".getBytes(UTF_8)));
    }
}
