package dev.typedoutbox.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class BoundedCountTest {
    @Test
    void textTellsWhetherThereAreMore() {
        assertThat(new BoundedCount(0, true)).hasToString("0");
        assertThat(new BoundedCount(1_234, true)).hasToString("1,234");
        assertThat(new BoundedCount(10_000, false)).hasToString("10,000+");
    }

    @Test
    void negativeNumberIsRefused() {
        assertThatThrownBy(() -> new BoundedCount(-1, true)).hasMessage("value must be at least 0 (was -1)");
    }
}
