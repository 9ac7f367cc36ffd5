package dev.typedoutbox.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class AgeTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    @Test
    void ageIsTheTimeSinceTheEventWasWritten() {
        assertThat(Age.of(NOW.minusMillis(1), NOW)).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void whatIsWrittenInTheFutureHasNoAge() {
        assertThat(Age.of(NOW.plusMillis(1), NOW)).isZero();
        assertThat(Age.of(Instant.MAX, NOW)).isZero();
    }

    @Test
    void timeThatWasMadeUpHasAnAgeThatARegistryTakes() {
        assertThat(Age.of(Instant.MIN, NOW)).isEqualTo(Age.MOST);
        assertThat(Age.MOST.toNanos()).isPositive();
    }
}
