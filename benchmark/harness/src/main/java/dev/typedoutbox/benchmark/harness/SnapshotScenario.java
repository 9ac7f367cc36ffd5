package dev.typedoutbox.benchmark.harness;

import dev.typedoutbox.benchmark.contender.Backlog;
import dev.typedoutbox.benchmark.harness.Report.Curve;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * (e) Whether a drain keeps its rate while another session has a snapshot open, as a long report does: vacuum may then
 * remove none of the entries that the relay leaves behind.
 */
final class SnapshotScenario implements Scenario {
    static final String NAME = "snapshot";
    static final Figure KEPT = new Figure("last 50,000 / first", "", 3);

    private static final int EVENTS = 400_000;
    private static final int QUICK_EVENTS = 100_000;
    private static final int PART = 50_000;
    /** The first part begins when the relay has begun: its start belongs to no part. */
    private static final int UNDER_WAY = 1_000;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void run(Lab lab) throws Exception {
        Backlog backlog = lab.plan().backlog(lab.plan().events(EVENTS, QUICK_EVENTS), Plan.PAYLOAD, Plan.AGGREGATES);
        if (backlog.events() < 2 * PART) {
            throw new IllegalArgumentException("--events must be at least " + 2 * PART + " for the scenario " + NAME
                    + " (was " + backlog.events() + ")");
        }
        lab.takeTurns(NAME, lab.plan().rounds(1), lab.contenders(Bars.SUBJECT), entry -> {
            try (Connection session = lab.fleet().database(entry).getConnection()) {
                Drain drain = lab.drainer()
                        .drain(
                                List.of(lab.fleet().warm(entry)),
                                backlog,
                                lab.plan().queue(),
                                () -> {
                                    openSnapshot(session);
                                    lab.postgres().checkpoint();
                                });
                report(lab, entry, drain);
            }
        });
    }

    private static void openSnapshot(Connection session) throws Exception {
        session.setAutoCommit(false);
        session.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (Statement statement = session.createStatement()) {
            statement.execute("select 1 from pg_class limit 1");
        }
    }

    private static void report(Lab lab, ContenderEntry entry, Drain drain) {
        List<double[]> points = new ArrayList<>();
        for (int end = PART; end <= drain.events(); end += PART) {
            points.add(new double[] {end, drain.perSecond(end == PART ? UNDER_WAY : end - PART, end)});
        }
        double kept = points.get(points.size() - 1)[1] / points.get(0)[1];
        String setting = DrainScenario.setting(
                lab.plan().backlog((int) drain.events(), Plan.PAYLOAD, Plan.AGGREGATES),
                lab.plan().queue());
        lab.report().add(NAME, setting, entry.name(), KEPT, kept);
        lab.report().add(NAME, setting, entry.name(), Figure.RATE, drain.perSecond());
        lab.report().add(new Curve(NAME, "events/s in each 50,000", entry.name(), points));
        lab.screen().step("%-26s last 50,000 / first %.3f, %,.0f events/s", entry.name(), kept, drain.perSecond());
    }
}
