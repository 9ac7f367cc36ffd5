package dev.typedoutbox.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostRuleTest {
    private final HostRule rule = new HostRule(new AdminSettings(
            "public", "127.0.0.2", AdminSettings.resolve("127.0.0.2"), 0, Optional.empty(), false, false));

    @ParameterizedTest
    @ValueSource(
            strings = {"localhost", "LocalHost:8080", "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:8080", "127.0.0.2:80"
            })
    void namesOfThisMachineAreAllowed(String host) {
        assertThat(rule.allows(host)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "evil.example",
                "evil.example:8080",
                "localhost.evil.example",
                "127.0.0.1.evil.example",
                "localhost:8080:evil.example",
                "localhost@evil.example",
                "127.0.0.3",
                "[::2]",
                "::1",
                "localhost:"
            })
    void otherNamesAreRefused(String host) {
        assertThat(rule.allows(host)).isFalse();
    }
}
