package dev.typedoutbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RelayConfigTest {
    private static final Duration ZERO = Duration.ZERO;
    private static final Duration TOO_LONG = Duration.ofDays(8);
    private static final String NAME_RULE =
            "name must be 1 to 100 characters, not all of them blank and none a control character ";
    private static final String BOUNDS = " must be between PT0.001S and PT168H (was ";

    @ParameterizedTest(name = "{1}")
    @MethodSource
    void settingOutOfBoundsIsRefused(UnaryOperator<RelayConfigBuilder> setting, String message) {
        assertThatThrownBy(() -> setting.apply(RelayConfig.builder()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    static Stream<Arguments> settingOutOfBoundsIsRefused() {
        return Stream.of(
                refused(builder -> builder.workers(0), "workers must be between 1 and 64 (was 0)"),
                refused(builder -> builder.workers(65), "workers must be between 1 and 64 (was 65)"),
                refused(builder -> builder.batchSize(0), "batchSize must be between 1 and 10000 (was 0)"),
                refused(builder -> builder.batchSize(10_001), "batchSize must be between 1 and 10000 (was 10001)"),
                refused(
                        builder -> builder.maxBatchBytes(0),
                        "maxBatchBytes must be between 1 and 9223372036854775807 (was 0)"),
                refused(builder -> builder.name(" "), NAME_RULE + "(was \" \")"),
                refused(builder -> builder.name("a\nb"), NAME_RULE + "(was \"a?b\")"),
                refused(builder -> builder.name("x".repeat(101)), NAME_RULE + "(was \"" + "x".repeat(101) + "\")"),
                refused(
                        builder -> builder.schema("x".repeat(64)),
                        "schema must be at most 63 bytes in UTF-8 and not begin with pg_, as PostgreSQL demands (was \""
                                + "x".repeat(64) + "\", 64 bytes)"),
                refused(builder -> builder.schema(" "), "schema must be the name of a schema (was blank)"),
                refused(builder -> builder.pollInterval(ZERO), "pollInterval" + BOUNDS + "PT0S)"),
                refused(builder -> builder.pollInterval(TOO_LONG), "pollInterval" + BOUNDS + "PT192H)"),
                refused(builder -> builder.fallbackPollInterval(ZERO), "fallbackPollInterval" + BOUNDS + "PT0S)"),
                refused(builder -> builder.fallbackPollInterval(TOO_LONG), "fallbackPollInterval" + BOUNDS + "PT192H)"),
                refused(
                        builder -> builder.maxPayloadBytes(0),
                        "maxPayloadBytes must be between 1 and 2147483647 (was 0)"),
                refused(builder -> builder.confirmTimeout(ZERO), "confirmTimeout" + BOUNDS + "PT0S)"),
                refused(builder -> builder.confirmTimeout(TOO_LONG), "confirmTimeout" + BOUNDS + "PT192H)"),
                refused(builder -> builder.statementTimeout(ZERO), "statementTimeout" + BOUNDS + "PT0S)"),
                refused(builder -> builder.statementTimeout(TOO_LONG), "statementTimeout" + BOUNDS + "PT192H)"),
                refused(builder -> builder.closeTimeout(ZERO), "closeTimeout" + BOUNDS + "PT0S)"),
                refused(builder -> builder.closeTimeout(TOO_LONG), "closeTimeout" + BOUNDS + "PT192H)"));
    }

    @Test
    void settingsAreThoseOfTheBuilder() {
        RetryPolicy retry = new RetryPolicy(1, Duration.ofMillis(1), Duration.ofMillis(2));
        RelayConfig config = RelayConfig.builder()
                .name("orders-1")
                .schema("Order Outbox")
                .workers(3)
                .batchSize(4)
                .maxBatchBytes(5)
                .ordered(false)
                .retryPolicy(retry)
                .pollInterval(Duration.ofMillis(6))
                .confirmTimeout(Duration.ofMillis(7))
                .statementTimeout(Duration.ofMillis(8))
                .closeTimeout(Duration.ofMillis(9))
                .build();

        assertThat(config)
                .extracting(
                        RelayConfig::name,
                        RelayConfig::schema,
                        RelayConfig::workers,
                        RelayConfig::batchSize,
                        RelayConfig::maxBatchBytes,
                        RelayConfig::ordered,
                        settings -> settings.retryPolicy("any"),
                        RelayConfig::pollInterval,
                        RelayConfig::confirmTimeout,
                        RelayConfig::statementTimeout,
                        RelayConfig::closeTimeout)
                .containsExactly(
                        "orders-1",
                        "Order Outbox",
                        3,
                        4,
                        5L,
                        false,
                        retry,
                        Duration.ofMillis(6),
                        Duration.ofMillis(7),
                        Duration.ofMillis(8),
                        Duration.ofMillis(9));
    }

    @Test
    void relayIsCalledAfterItsProcessUnlessToldOtherwise() {
        assertThat(RelayConfig.defaults().name())
                .matches(ProcessHandle.current().pid() + "@\\S+")
                .isEqualTo(RelayConfig.defaults().name());
    }

    private static Arguments refused(UnaryOperator<RelayConfigBuilder> setting, String message) {
        return arguments(setting, message);
    }
}
