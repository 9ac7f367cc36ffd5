package dev.typedoutbox.benchmark.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ContenderEntryTest {
    @Test
    void lineHasTraitsAndOptions() {
        ContenderEntry entry = ContenderEntry.parse("fast   own   some.Main   ordered,slow   workers=2,ordered=true");

        assertThat(entry.isOrdered()).isTrue();
        assertThat(entry.isSlow()).isTrue();
        assertThat(entry.isCeiling()).isFalse();
        assertThat(entry.options()).isEqualTo(Map.of("workers", "2", "ordered", "true"));
    }

    @Test
    void consumerIsToldFromAnOutbox() {
        assertThat(ContenderEntry.parse("some own some.Main consumer,ordered -").isConsumer())
                .isTrue();
        assertThat(ContenderEntry.parse("some own some.Main ordered -").isConsumer())
                .isFalse();
    }

    @Test
    void dashMeansNothing() {
        ContenderEntry entry = ContenderEntry.parse("fast own some.Main - -");

        assertThat(entry.traits()).isEmpty();
        assertThat(entry.options()).isEmpty();
    }

    @Test
    void lineWithoutAllColumnsIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> ContenderEntry.parse("fast own some.Main"));
    }
}
