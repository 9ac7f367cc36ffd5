package dev.typedoutbox.property;

import dev.typedoutbox.deadletter.DeadLetters;
import java.util.Comparator;
import java.util.Optional;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Sees to the dead letters, and turns the clock. */
final class Operator {
    /** Rows that a batch has locked are left alone, so that a broken relay is caught and not waited for. */
    private static final String LET_TIME_PASS =
            "update outbox_events set retry_after = retry_after - interval '2 hours'"
                    + " where id in (select id from outbox_events where retry_after > now() for update skip locked)";

    private final Ledger ledger;
    private final DSLContext dsl;
    private final DeadLetters deadLetters;

    Operator(Ledger ledger, DataSource dataSource) {
        this.ledger = ledger;
        this.dsl = DSL.using(dataSource, SQLDialect.POSTGRES);
        this.deadLetters = DeadLetters.of(dataSource);
    }

    void letTimePass() {
        ledger.timePassed();
        dsl.execute(LET_TIME_PASS);
    }

    void retryOne() {
        aDeadLetter().ifPresent(entry -> {
            ledger.retried(entry);
            require(deadLetters.retry(entry.id), entry);
        });
    }

    void retryAll() {
        int expected = ledger.dead().size();
        ledger.dead().forEach(ledger::retried);
        int retried = deadLetters.retryAll();
        if (retried != expected) {
            ledger.violated(retried + " dead letters could be retried instead of " + expected);
        }
    }

    void discardOne() {
        aDeadLetter().ifPresent(entry -> {
            ledger.discarded(entry);
            require(deadLetters.discard(entry.id, "not wanted"), entry);
        });
    }

    private Optional<Entry> aDeadLetter() {
        return ledger.dead().stream()
                .min(Comparator.comparing((Entry entry) -> entry.aggregate).thenComparing(Entry::place));
    }

    private void require(boolean found, Entry entry) {
        if (!found) {
            ledger.violated(entry + " is no dead letter");
        }
    }
}
