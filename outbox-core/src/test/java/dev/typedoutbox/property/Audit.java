package dev.typedoutbox.property;

import dev.typedoutbox.relay.PublishedRows;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** Holds the outbox's rows against the ledger, while no batch is under way. */
final class Audit {
    private static final String ROWS =
            "select id, attempts, processed_at is not null as marked, dead_at is not null as dead from outbox_events";

    private final Setup setup;
    private final Ledger ledger;
    private final DSLContext dsl;

    Audit(Setup setup, Ledger ledger, DSLContext dsl) {
        this.setup = setup;
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
        ledger.committed().forEach(entry -> compare(entry, expected(entry), rows, violations));
        ledger.discarded().forEach(entry -> compare(entry, new State(entry.attempts, true, false), rows, violations));
        rows.forEach((id, state) -> violations.add("no event should have the row " + id + ": " + state));
        if (!violations.isEmpty()) {
            throw new AssertionError(violations.get(0));
        }
    }

    /** Null where there should be no row. */
    private @Nullable State expected(Entry entry) {
        return entry.marked && setup.publishedRows() == PublishedRows.DELETE
                ? null
                : new State(entry.attempts, entry.marked, entry.dead);
    }

    private static void compare(Entry entry, @Nullable State expected, Map<UUID, State> rows, List<String> violations) {
        State actual = rows.remove(entry.id);
        if (!Objects.equals(expected, actual)) {
            violations.add(entry + " has " + actual + " instead of " + expected);
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
