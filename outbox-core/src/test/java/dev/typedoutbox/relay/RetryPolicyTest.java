package dev.typedoutbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryPolicyTest {
    private static final RetryPolicy POLICY = new RetryPolicy(5, Duration.ofSeconds(1), Duration.ofMinutes(5));

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 1, 2, 8, 20, 63, 64, 1024, Integer.MAX_VALUE})
    void waitIsWithinItsBoundsForAnyNumberOfAttempts(int failedAttempts) {
        for (int i = 0; i < 200; i++) {
            assertThat(POLICY.nextDelay(failedAttempts)).isBetween(POLICY.base(), POLICY.cap());
        }
    }

    @RepeatedTest(50)
    void waitDoublesWithEachAttempt() {
        assertThat(POLICY.nextDelay(1)).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
        assertThat(POLICY.nextDelay(2)).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(4));
        assertThat(POLICY.nextDelay(5)).isBetween(Duration.ofSeconds(16), Duration.ofSeconds(32));
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 20})
    void waitsDifferAtTheCapToo(int failedAttempts) {
        assertThat(Stream.generate(() -> POLICY.nextDelay(failedAttempts))
                        .limit(50)
                        .distinct())
                .hasSizeGreaterThan(10);
    }

    @ParameterizedTest
    @CsvSource({"0, false", "4, false", "5, true", "6, true", "2147483647, true"})
    void eventIsGivenUpAtTheLimit(int failedAttempts, boolean exhausted) {
        assertThat(POLICY.isExhausted(failedAttempts)).isEqualTo(exhausted);
    }

    @ParameterizedTest
    @CsvSource({
        "0, PT1S, PT2S, maxAttempts must be at least 1 (was 0)",
        "-1, PT1S, PT2S, maxAttempts must be at least 1 (was -1)",
        "1, PT0S, PT2S, base must be between PT0.001S and PT8760H (was PT0S)",
        "1, PT-1S, PT2S, base must be between PT0.001S and PT8760H (was PT-1S)",
        "1, PT2S, PT1S, cap must be at least base PT2S (was PT1S)",
        "1, PT1S, PT8761H, cap must be between PT0.001S and PT8760H (was PT8761H)",
        "1, PT1S, PT9223372036854775807S, cap must be between PT0.001S and PT8760H (was PT2562047788015215H30M7S)",
    })
    void badPolicyIsRefused(int maxAttempts, Duration base, Duration cap, String message) {
        assertThatThrownBy(() -> new RetryPolicy(maxAttempts, base, cap))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
