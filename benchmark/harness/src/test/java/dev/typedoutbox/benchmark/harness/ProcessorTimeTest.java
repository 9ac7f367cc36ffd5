package dev.typedoutbox.benchmark.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessorTimeTest {
    private static final ProcessHandle SELF = ProcessHandle.current();

    @Test
    void workCountsOnceAndFromTheStartOn() {
        work();
        Duration earliestStart = total();
        ProcessorTime time = ProcessorTime.of(List.of(SELF, SELF));
        Duration latestStart = total();
        work();
        Duration earliestEnd = total();
        Duration used = time.used();
        Duration latestEnd = total();

        assertThat(used).isBetween(earliestEnd.minus(latestStart), latestEnd.minus(earliestStart));
    }

    @Test
    void nothingIsKnownOfServersOfOthers() {
        assertThat(ProcessorTime.of(List.of()).used()).isEqualTo(Duration.ZERO);
    }

    private static void work() {
        Duration end = total().plusMillis(200);
        while (total().compareTo(end) < 0) {
            Thread.onSpinWait();
        }
    }

    private static Duration total() {
        return SELF.info().totalCpuDuration().orElseThrow();
    }
}
