package dev.typedoutbox.benchmark.harness;

import dev.typedoutbox.benchmark.contender.Backlog;
import java.util.List;

/** (h) Whether a relay with little memory drains a backlog that is many times as large. */
final class HeapScenario implements Scenario {
    static final String NAME = "heap";
    static final Figure SHARE = new Figure("drained", "of all", 2);

    private static final List<String> JVM_OPTIONS = List.of("-Xmx128m");
    private static final int LARGE = 10 * 1024;
    private static final int EVENTS = 300_000;
    private static final int QUICK_EVENTS = 15_000;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void run(Lab lab) throws Exception {
        Backlog backlog = lab.plan().backlog(lab.plan().events(EVENTS, QUICK_EVENTS), LARGE, Plan.AGGREGATES);
        for (ContenderEntry entry : lab.contenders(Bars.SUBJECT)) {
            if (!lab.succeeds(NAME, entry, it -> measure(lab, it, backlog))) {
                lab.report().add(NAME, setting(lab, backlog), entry.name(), SHARE, 0);
            }
        }
    }

    private static String setting(Lab lab, Backlog backlog) {
        return "-Xmx128m, " + DrainScenario.setting(backlog, lab.plan().queue());
    }

    private static void measure(Lab lab, ContenderEntry entry, Backlog backlog) throws Exception {
        ContenderEntry small = entry.with(entry.name() + "-128m", "heap", "128m");
        String setting = setting(lab, backlog);
        try (ContenderProcess contender = lab.fleet().prepared(small, JVM_OPTIONS)) {
            Drain drain = lab.drainer().drain(contender, backlog, lab.plan().queue());
            // The drain fails unless everything arrived.
            lab.report().add(NAME, setting, entry.name(), SHARE, 1);
            lab.report().add(NAME, setting, entry.name(), Figure.RATE, drain.perSecond());
            lab.screen().step("%-26s %,.0f events/s  %s", entry.name(), drain.perSecond(), setting);
        }
    }
}
