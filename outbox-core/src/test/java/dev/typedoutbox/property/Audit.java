package dev.typedoutbox.property;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jooq.DSLContext;

/** Holds the outbox's rows against the ledger, while no batch is under way. */
final class Audit {
    private static final String ROWS =
            "select id, attempts, processed_at is not null as marked, dead_at is not null as dead from outbox_events";

    private final Ledger ledger;
    private final DSLContext dsl;

    Audit(Ledger ledger, DSLContext dsl) {
        this.ledger = ledger;
        this.dsl = dsl;
    }

    private record State(int attempts, boolean marked, boolean dead) {}

    /** Throws for the first rule that was broken. */
    void check() {
        List<String> violations = new ArrayList<>(ledger.violations());
        Map<UUID, State> rows = new HashMap<>();
        dsl.fetch(ROWS)
                .forEach(row -> rows.put(
                        row.get("id", UUID.class),
                        new State(
                                row.get("attempts", Integer.class),
                                row.get("marked", Boolean.class),
                                row.get("dead", Boolean.class))));
        for (Entry entry : ledger.committed()) {
            State expected = new State(entry.attempts, entry.marked, entry.dead);
            State actual = rows.remove(entry.id);
            if (!expected.equals(actual)) {
                violations.add(entry + " has " + actual + " instead of " + expected);
            }
        }
        rows.forEach((id, state) -> violations.add("no event should have the row " + id + ": " + state));
        if (!violations.isEmpty()) {
            throw new AssertionError(violations.get(0));
        }
    }

    /** Throws if an event is left that should have been published. */
    void checkAllPublished() {
        check();
        for (Entry entry : ledger.committed()) {
            if (!entry.marked || !entry.arrived) {
                throw new AssertionError(
                        entry + " was never published (marked: " + entry.marked + ", arrived: " + entry.arrived + ")");
            }
        }
    }
}
