package dev.typedoutbox.rabbit.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LedgerTest {
    private final Ledger ledger = new Ledger();
    private final UUID one = UUID.randomUUID();
    private final UUID two = UUID.randomUUID();
    private final UUID three = UUID.randomUUID();

    @Test
    void eventThatNeverArrivesIsLost() {
        ledger.add(one, "a", 1);
        assertThat(ledger.lost(List.of(one, two))).containsExactly(two);
    }

    @Test
    void eventThatWasNeverCommittedIsAPhantom() {
        ledger.add(one, "a", 1);
        ledger.add(two, "a", 2);
        assertThat(ledger.phantoms(List.of(one))).containsExactly(two);
    }

    @Test
    void eventThatArrivesAfterALaterOneOfItsAggregateViolatesTheOrder() {
        ledger.add(two, "a", 2);
        ledger.add(three, "b", 1);
        ledger.add(one, "a", 1);
        assertThat(ledger.orderViolations()).isEqualTo(1);
    }

    @Test
    void secondArrivalIsADuplicateAndDoesNotCountForTheOrder() {
        ledger.add(one, "a", 1);
        ledger.add(two, "a", 2);
        ledger.add(one, "a", 1);
        ledger.add(three, "a", 3);
        assertThat(ledger.orderViolations()).isZero();
        assertThat(ledger.duplicates()).isEqualTo(1);
        assertThat(ledger.duplicated()).containsExactly(one);
    }

    @Test
    void lastFirstArrivalIsThatOfTheLastEventAndNotOfADuplicate() {
        ledger.add(one, "a", 1);
        ledger.add(two, "a", 2);
        long between = System.nanoTime();
        ledger.add(one, "a", 1);
        assertThat(ledger.lastFirstArrivalOf(List.of(one, two, three)).orElseThrow())
                .isLessThanOrEqualTo(between);
        ledger.add(three, "a", 3);
        assertThat(ledger.lastFirstArrivalOf(List.of(one, two, three)).orElseThrow())
                .isGreaterThanOrEqualTo(between);
    }
}
