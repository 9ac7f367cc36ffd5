package dev.typedoutbox.benchmark.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConsumeBarsTest {
    private final Report report = new Report();

    @Test
    void ratioIsThatOfBatchesToOneAtATimeThoughTheyHaveUnlikeBacklogs() {
        rates(ConsumeScenario.BATCHES, "30,000 events", 8_000, 6_000);
        rates(ConsumeScenario.SINGLE, "6,000 events", 800, 750);

        assertThat(bar("consume: in batches / one at a time").value()).isEqualTo(9);
        assertThat(bar("consume: in batches / one at a time").holds()).isTrue();
    }

    @Test
    void rateIsThatOfTheFirstCase() {
        rates(ConsumeScenario.BATCHES, "classic queue", 5_100, 5_200, 4_000);
        rates(ConsumeScenario.BATCHES, "quorum queue", 1_000, 1_000, 1_000);

        assertThat(bar("consume, events a second: in batches").value()).isEqualTo(5_100);
        assertThat(bar("consume, events a second: in batches").holds()).isTrue();
    }

    @Test
    void barDoesNotHoldBelowItsBound() {
        rates(ConsumeScenario.BATCHES, "classic queue", 4_999);
        rates(ConsumeScenario.SINGLE, "classic queue", 4_999);

        assertThat(bar("consume: in batches / one at a time").holds()).isFalse();
        assertThat(bar("consume, events a second: in batches").holds()).isFalse();
    }

    @Test
    void barsAreAboutConsumersThatAreListed() throws Exception {
        List<ContenderEntry> listed = ContenderEntry.readAll(Path.of("../contenders.txt"));

        assertThat(listed)
                .filteredOn(ContenderEntry::isConsumer)
                .extracting(ContenderEntry::name)
                .contains(ConsumeScenario.BATCHES, ConsumeScenario.SINGLE);
    }

    private void rates(String subject, String setting, double... values) {
        for (double value : values) {
            report.add(ConsumeScenario.NAME, setting, subject, Figure.RATE, value);
        }
    }

    private Bar bar(String name) {
        return new Bars(report, List.of())
                .all().stream()
                        .filter(bar -> bar.name().equals(name))
                        .findFirst()
                        .orElseThrow();
    }
}
