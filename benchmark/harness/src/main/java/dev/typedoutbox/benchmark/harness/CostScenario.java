package dev.typedoutbox.benchmark.harness;

import dev.typedoutbox.benchmark.contender.Backlog;
import dev.typedoutbox.benchmark.contender.Load;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.postgresql.ds.PGSimpleDataSource;

/** (g) What an event costs the database. Measured in a process that counts its statements, and whose rate is not told. */
final class CostScenario implements Scenario {
    static final String NAME = "cost";
    static final Figure STATEMENTS = new Figure("relay: statements", "an event", 4);

    private static final Figure RELAY_LOG = new Figure("relay: WAL", "bytes an event", 0);
    private static final Figure RELAY_ROWS = new Figure("relay: rows changed", "an event", 2);
    private static final Figure WRITER_LOG = new Figure("writer: WAL", "bytes an event", 0);
    private static final String ROWS = "select sum(n_tup_upd + n_tup_del) from pg_stat_user_tables";

    private static final int EVENTS = 50_000;
    private static final int QUICK_EVENTS = 20_000;
    private static final int WRITTEN = 2_000;
    private static final int THREADS = 4;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void run(Lab lab) throws Exception {
        List<ContenderEntry> entries = lab.contenders(entry ->
                entry.name().equals(Bars.SUBJECT) || (!lab.plan().isQuick() && Bars.need(entry) && !entry.isCeiling()));
        // What is counted is the same in each round.
        lab.takeTurns(NAME, 1, entries, entry -> measure(lab, entry));
    }

    private static void measure(Lab lab, ContenderEntry entry) throws Exception {
        ContenderEntry counting = entry.with(entry.name() + "-counting", "statements", "true");
        PGSimpleDataSource database;
        Backlog backlog = lab.plan().backlog(lab.plan().events(EVENTS, QUICK_EVENTS), Plan.PAYLOAD, Plan.AGGREGATES);
        try (ContenderProcess contender = lab.fleet().prepared(counting, Fleet.JVM_OPTIONS)) {
            database = lab.fleet().database(counting);
            add(lab, entry, WRITER_LOG, written(lab, contender));
            drain(lab, entry, contender, backlog);
        }
        // The sessions that have ended have told what they did.
        TimeUnit.SECONDS.sleep(1);
        add(lab, entry, RELAY_ROWS, (double) Postgres.number(database, ROWS) / backlog.events());
    }

    private static void drain(Lab lab, ContenderEntry entry, ContenderProcess contender, Backlog backlog)
            throws Exception {
        // Not after the backlog is written, or each page would be logged as a whole when it is changed first.
        lab.postgres().checkpoint();
        AtomicLong before = new AtomicLong();
        lab.drainer()
                .drain(
                        List.of(contender),
                        backlog,
                        QueueKind.CLASSIC,
                        () -> before.set(lab.postgres().logPosition()));
        double bytes = lab.postgres().logPosition() - before.get();
        add(lab, entry, RELAY_LOG, bytes / backlog.events());
        Map<String, String> stats = contender.stats();
        if (stats.containsKey("statements")) {
            add(lab, entry, STATEMENTS, Double.parseDouble(stats.get("statements")) / backlog.events());
        }
    }

    private static double written(Lab lab, ContenderProcess contender) throws Exception {
        lab.postgres().checkpoint();
        Backlog events = new Backlog(WRITTEN, Plan.PAYLOAD, Plan.AGGREGATES);
        long before = lab.postgres().logPosition();
        contender.emit(new Load(events, 0, 1, THREADS));
        return (double) (lab.postgres().logPosition() - before) / WRITTEN;
    }

    private static void add(Lab lab, ContenderEntry entry, Figure figure, double value) {
        lab.report().add(NAME, "300 bytes, one event in a transaction", entry.name(), figure, value);
        lab.screen().step("%-26s %s %.4f %s", entry.name(), figure.name(), value, figure.unit());
    }
}
