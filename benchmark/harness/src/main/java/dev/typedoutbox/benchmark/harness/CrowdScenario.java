package dev.typedoutbox.benchmark.harness;

import dev.typedoutbox.benchmark.contender.Backlog;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.postgresql.ds.PGSimpleDataSource;

/** (f) Whether rows that are done with, or given up, slow the relay down. Only for contenders on the library's own table. */
final class CrowdScenario implements Scenario {
    static final String NAME = "crowd";
    static final Figure KEPT = new Figure("with / without", "", 3);

    private static final int PROCESSED = 1_000_000;
    private static final int QUICK_PROCESSED = 100_000;
    private static final int PROCESSED_TO_A_DEAD_ONE = 10;
    private static final int EVENTS = 100_000;
    private static final int QUICK_EVENTS = 30_000;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void run(Lab lab) throws Exception {
        int processed = lab.plan().isQuick() ? QUICK_PROCESSED : PROCESSED;
        Backlog backlog = lab.plan().backlog(lab.plan().events(EVENTS, QUICK_EVENTS), Plan.PAYLOAD, Plan.AGGREGATES);
        AtomicInteger turns = new AtomicInteger();
        lab.takeTurns(NAME, lab.plan().rounds(1), lab.contenders(Bars.SUBJECT), entry -> {
            // Which one is first changes from turn to turn.
            boolean crowdedFirst = turns.getAndIncrement() % 2 == 1;
            double first = rate(lab, entry, backlog, crowdedFirst ? processed : 0);
            double second = rate(lab, entry, backlog, crowdedFirst ? 0 : processed);
            report(lab, entry, processed, crowdedFirst ? first : second, crowdedFirst ? second : first);
        });
    }

    private static double rate(Lab lab, ContenderEntry entry, Backlog backlog, int processed) throws Exception {
        ContenderProcess contender = lab.fleet().warm(entry);
        PGSimpleDataSource database = lab.fleet().database(entry);
        OldRows.makeRoom(database);
        return lab.drainer()
                .drain(List.of(contender), backlog, lab.plan().queue(), () -> {
                    crowd(database, processed);
                    lab.postgres().checkpoint();
                })
                .perSecond();
    }

    private static void crowd(PGSimpleDataSource database, int processed) throws Exception {
        OldRows.insert(database, "processed_at", 0, processed);
        OldRows.insert(database, "dead_at", processed, processed / PROCESSED_TO_A_DEAD_ONE);
    }

    private static void report(Lab lab, ContenderEntry entry, int processed, double with, double without) {
        String crowded = String.format(
                Locale.ROOT, "%,d processed and %,d dead rows", processed, processed / PROCESSED_TO_A_DEAD_ONE);
        lab.report().add(NAME, "an empty table", entry.name(), Figure.RATE, without);
        lab.report().add(NAME, crowded, entry.name(), Figure.RATE, with);
        lab.report().add(NAME, crowded, entry.name(), KEPT, with / without);
        lab.screen().step("%-26s %,.0f events/s, %,.0f with %s", entry.name(), without, with, crowded);
    }
}
