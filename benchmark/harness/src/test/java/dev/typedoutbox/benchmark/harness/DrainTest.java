package dev.typedoutbox.benchmark.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.typedoutbox.benchmark.harness.Drain.Sample;
import java.util.List;
import org.junit.jupiter.api.Test;

class DrainTest {
    private static final Drain DRAIN = new Drain(
            300,
            List.of(new Sample(0.5, 0), new Sample(1.5, 100), new Sample(2.0, 200), new Sample(4.0, 300)),
            List.of());

    @Test
    void rateLeavesOutTheFirstTenth() {
        assertThat(DRAIN.perSecond()).isEqualTo(270 / 3.2);
    }

    @Test
    void rateOfAPartIsReadBetweenTheSamples() {
        assertThat(DRAIN.perSecond(100, 200)).isEqualTo(200);
        assertThat(DRAIN.perSecond(50, 150)).isEqualTo(100 / 0.75);
    }

    @Test
    void countThatWasNeverReachedHasNoTime() {
        assertThatIllegalArgumentException().isThrownBy(() -> DRAIN.perSecond(0, 301));
    }
}
