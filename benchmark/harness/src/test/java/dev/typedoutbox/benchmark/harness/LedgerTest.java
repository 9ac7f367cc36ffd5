package dev.typedoutbox.benchmark.harness;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.benchmark.contender.Backlog;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class LedgerTest {
    /** Of the aggregates 0, 1, 0, 1. */
    private static final Backlog FOUR = new Backlog(4, 100, 2);

    @Test
    void allOnceAndInOrderIsRight() {
        assertThatCode(arrival(true, 1, 0, 2, 3)).doesNotThrowAnyException();
    }

    @Test
    void missingEventIsFound() {
        assertFails(arrival(true, 0, 1, 3), "1 missing");
    }

    @Test
    void repeatedEventIsFound() {
        assertFails(arrival(false, 0, 1, 2, 3, 1), "1 repeated");
    }

    @Test
    void eventThatNobodyWroteIsFound() {
        assertFails(arrival(false, 0, 1, 2, 3, 4), "1 unknown");
    }

    @Test
    void wrongOrderOfAnAggregateIsFoundWhereOrderWasPromised() {
        assertFails(arrival(true, 2, 1, 0, 3), "1 out of order");
        assertThatCode(arrival(false, 2, 1, 0, 3)).doesNotThrowAnyException();
    }

    @Test
    void idOfAnotherEventIsFound() {
        Ledger ledger = new Ledger(new Backlog(2, 100, 2), false);
        ledger.add(body(0), "same");
        ledger.add(body(1), "same");

        assertFails(ledger::check, "1 with an id of another");
    }

    private static ThrowingCallable arrival(boolean ordered, long... numbers) {
        return () -> {
            Ledger ledger = new Ledger(FOUR, ordered);
            for (long number : numbers) {
                ledger.add(body(number), null);
            }
            ledger.check();
        };
    }

    private static void assertFails(ThrowingCallable check, String reason) {
        assertThatThrownBy(check).isInstanceOf(ContenderFailure.class).hasMessageContaining(reason);
    }

    private static byte[] body(long number) {
        return FOUR.event(number).payload().getBytes(UTF_8);
    }
}
