package dev.typedoutbox.rabbit.crash;

import dev.typedoutbox.rabbit.support.Ledger;
import dev.typedoutbox.rabbit.support.OutboxDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** What must be true of a run, from what was committed, what arrived, and when the faults struck. */
final class Accounts {
    private final OutboxDatabase database;
    private final Ledger ledger;
    private final Writers writers;
    private final Set<UUID> loaded = new HashSet<>();
    private final Set<UUID> settledBeforeFault = new HashSet<>();
    private final Set<UUID> committedBySettling = new HashSet<>();
    private boolean struck;
    private boolean settled;
    private int inFlight;
    private int explainedDuplicates;
    private boolean refusalsExpected;
    private Duration losableMarks = Duration.ZERO;

    Accounts(OutboxDatabase database, Ledger ledger, Writers writers) {
        this.database = database;
        this.ledger = ledger;
        this.writers = writers;
    }

    void loaded(Collection<UUID> ids) {
        loaded.addAll(ids);
    }

    /** A relay can have so many events more in flight from now on. */
    void relayStarts(int events) {
        inFlight += events;
    }

    /** So many duplicates more have a cause. */
    void explain(int duplicates) {
        explainedDuplicates += duplicates;
    }

    /** Some events are refused in this run, so attempts are counted. */
    void expectRefusals() {
        refusalsExpected = true;
    }

    /** A crash of the database may undo the marks of so long before it. */
    void expectLostMarks(Duration before) {
        losableMarks = before;
    }

    /** What is in flight now may come again. */
    void faultStrikes() {
        if (!struck) {
            struck = true;
            settledBeforeFault.addAll(database.ids("outbox_events where processed_at "
                    + (losableMarks.isZero() ? "is not null" : "<" + losableSince())));
        }
        explainedDuplicates += inFlight;
        if (!losableMarks.isZero()) {
            // And as many again in the moment between this count and the crash.
            explainedDuplicates += 2 * (int) database.count("outbox_events where processed_at >= " + losableSince());
        }
    }

    private String losableSince() {
        return "clock_timestamp() - interval '" + losableMarks + "'";
    }

    /** The fault is over and all is as it was. */
    void settled() {
        settled = true;
        committedBySettling.addAll(committed());
    }

    /** What is known to be committed, without what only the database knows. */
    Set<UUID> committed() {
        Set<UUID> committed = new HashSet<>(loaded);
        committed.addAll(writers.committed());
        return committed;
    }

    /** All that was committed; the writers have ended, and the database answers. */
    Set<UUID> allCommitted() {
        Set<UUID> doubtful = new HashSet<>(writers.doubtful());
        doubtful.retainAll(database.ids("outbox_events"));
        doubtful.addAll(committed());
        return doubtful;
    }

    boolean isDrained() {
        return ledger.lost(allCommitted()).isEmpty() && database.pending() == 0;
    }

    /** What is wrong, in a sentence each; empty when all is right. */
    List<String> complaints() {
        List<String> complaints = new ArrayList<>();
        complain(complaints, "lost", ledger.lost(allCommitted()));
        complain(complaints, "arrived without having been committed", ledger.phantoms(allCommitted()));
        complain(complaints, "came again without having been in flight at the fault", unexplained());
        if (ledger.orderViolations() > 0) {
            complaints.add(ledger.orderViolations() + " first arrivals out of order");
        }
        if (ledger.duplicates() > explainedDuplicates) {
            complaints.add(ledger.duplicates() + " duplicates, of which " + explainedDuplicates + " were in flight");
        }
        if (!refusalsExpected) {
            complain(complaints, "with attempts counted", database.ids("outbox_events where attempts > 0"));
        }
        complain(complaints, "not marked", database.ids("outbox_events where processed_at is null"));
        return complaints;
    }

    private Set<UUID> unexplained() {
        Set<UUID> unexplained = ledger.duplicated();
        unexplained.removeIf(id -> !settledBeforeFault.contains(id) && !(settled && isNewerThanSettling(id)));
        return unexplained;
    }

    private boolean isNewerThanSettling(UUID id) {
        return !committedBySettling.contains(id);
    }

    private static void complain(List<String> complaints, String what, Set<UUID> events) {
        if (!events.isEmpty()) {
            complaints.add(events.size() + " events " + what + ", as "
                    + events.iterator().next());
        }
    }
}
