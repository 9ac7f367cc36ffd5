package dev.typedoutbox.benchmark.harness;

import dev.typedoutbox.benchmark.contender.Backlog;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * (k) Whether the deletion of rows that were published long ago slows the relay down: both begin at the same time, in the
 * same process.
 */
final class PurgeScenario implements Scenario {
    static final String NAME = "purge";

    private static final String PURGING = "-purging";
    private static final Figure PURGED = new Figure("old rows deleted meanwhile", "", 0);
    private static final int OLD = 1_000_000;
    private static final int QUICK_OLD = 100_000;
    private static final int EVENTS = 400_000;
    private static final int QUICK_EVENTS = 50_000;

    /** How much of the relay's rate is left while old rows are deleted. */
    static Optional<Double> kept(Report report) {
        Optional<Measure> without = report.first(NAME, Bars.SUBJECT, Figure.RATE);
        return report.first(NAME, Bars.SUBJECT + PURGING, Figure.RATE)
                .flatMap(purging -> without.map(purging::ratioTo));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void run(Lab lab) throws Exception {
        int old = lab.plan().isQuick() ? QUICK_OLD : OLD;
        Backlog backlog = lab.plan().backlog(lab.plan().events(EVENTS, QUICK_EVENTS), Plan.PAYLOAD, Plan.AGGREGATES);
        List<ContenderEntry> entries = lab.contenders(Bars.SUBJECT).stream()
                .flatMap(entry -> Stream.of(entry, entry.with(entry.name() + PURGING, "purge", "true")))
                .toList();
        lab.takeTurns(NAME, lab.plan().rounds(1), entries, entry -> measure(lab, entry, backlog, old));
    }

    private static void measure(Lab lab, ContenderEntry entry, Backlog backlog, int old) throws Exception {
        ContenderProcess contender = lab.fleet().warm(entry);
        PGSimpleDataSource database = lab.fleet().database(entry);
        OldRows.makeRoom(database);
        Drain drain = lab.drainer().drain(contender, backlog, lab.plan().queue(), () -> {
            OldRows.insert(database, "processed_at", 0, old);
            lab.postgres().checkpoint();
        });
        long purged = old - OldRows.count(database);
        String setting = String.format(Locale.ROOT, "%,d events, %,d old rows", backlog.events(), old);
        lab.report().add(NAME, setting, entry.name(), Figure.RATE, drain.perSecond());
        lab.report().add(NAME, setting, entry.name(), PURGED, (double) purged);
        lab.report().addCosts(NAME, setting, entry.name(), drain);
        lab.screen()
                .step("%-26s %,.0f events/s, %,d old rows deleted meanwhile", entry.name(), drain.perSecond(), purged);
    }
}
