package dev.typedoutbox.benchmark.own;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ConfirmWindowTest {
    private final ConfirmWindow window = new ConfirmWindow(3);

    @Test
    void eachConfirmFreesOnePlace() {
        window.handleAck(2, false);

        assertThat(window.free()).isEqualTo(4);
    }

    @Test
    void confirmOfSeveralFreesThoseThatWereNotFreeYet() {
        window.handleAck(2, false);
        window.handleAck(4, true);
        window.handleAck(6, true);

        assertThat(window.free()).isEqualTo(3 + 6);
    }

    @Test
    void refusalIsCounted() {
        window.handleNack(1, false);

        assertThat(window.refused()).isEqualTo(1);
        assertThat(window.free()).isEqualTo(4);
    }
}
