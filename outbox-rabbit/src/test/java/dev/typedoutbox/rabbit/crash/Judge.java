package dev.typedoutbox.rabbit.crash;

import static org.awaitility.Awaitility.await;

import dev.typedoutbox.rabbit.support.Ledger;
import dev.typedoutbox.rabbit.support.OutboxDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.awaitility.core.ConditionTimeoutException;

/** Follows a run from the end of its fault until nothing is left of it, and says what it cost. */
final class Judge {
    private static final int FLOWING = 100;

    private final String fault;
    private final OutboxDatabase database;
    private final Ledger ledger;
    private final Writers writers;
    private final Accounts accounts;
    private final Set<UUID> backlog = new HashSet<>();
    private long healedAt = System.nanoTime();
    private Instant healedThere = Instant.EPOCH;

    Judge(String fault, OutboxDatabase database, Ledger ledger, Writers writers, Accounts accounts) {
        this.fault = fault;
        this.database = database;
        this.ledger = ledger;
        this.writers = writers;
        this.accounts = accounts;
    }

    /** From here on counts the time to recover, and what waits now is the backlog. */
    void healed() {
        healedAt = System.nanoTime();
        healedThere = database.now();
        backlog.clear();
        backlog.addAll(accounts.committed());
    }

    /** Whether some events came within the bound that never came before. */
    boolean flows(Duration bound) {
        int before = ledger.ids().size();
        return within(bound, () -> ledger.ids().size() >= before + FLOWING);
    }

    /** Waits until all is as before the fault, stops the writers, waits for the last event, and judges. */
    Verdict judge(Duration bound) {
        List<String> complaints = new ArrayList<>();
        if (!within(bound, () -> database.firstMarkAfter(healedThere).isPresent()) || !flows(bound)) {
            complaints.add("not recovered within " + bound);
        }
        accounts.settled();
        if (!flows(bound)) {
            complaints.add("no flow within " + bound);
        }
        writers.close();
        if (!within(bound, accounts::isDrained)) {
            complaints.add("not drained within " + bound);
        }
        complaints.addAll(accounts.complaints());
        return verdict(complaints);
    }

    private Verdict verdict(List<String> complaints) {
        Set<UUID> committed = accounts.allCommitted();
        return new Verdict(
                fault,
                complaints,
                committed.size(),
                ledger.lost(committed).size(),
                ledger.duplicates(),
                ledger.orderViolations(),
                Duration.between(
                        healedThere, database.firstMarkAfter(healedThere).orElse(healedThere)),
                Duration.ofNanos(Math.max(0, ledger.lastFirstArrivalOf(backlog).orElse(healedAt) - healedAt)));
    }

    private static boolean within(Duration bound, Callable<Boolean> condition) {
        try {
            await().atMost(bound).ignoreExceptions().until(condition);
            return true;
        } catch (ConditionTimeoutException e) {
            return false;
        }
    }
}
