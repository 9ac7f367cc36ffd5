package dev.typedoutbox.benchmark.harness;

import dev.typedoutbox.benchmark.contender.Backlog;
import dev.typedoutbox.benchmark.contender.Load;
import java.util.List;

/** (c) How long an event is under way when the relay has nothing else to do: one a second, and 50. */
final class IdleScenario implements Scenario {
    static final String NAME = "idle";
    static final String SLOW = "1 event a second";
    static final String QUICK = "50 events a second";

    private static final int SLOW_RATE = 1;
    private static final int QUICK_RATE = 50;
    private static final int WARM_UP_EVENTS = 200;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void run(Lab lab) throws Exception {
        List<ContenderEntry> entries = lab.contenders(
                entry -> entry.name().equals(Bars.SUBJECT) || (!lab.plan().isQuick() && isCompared(entry)));
        for (ContenderEntry entry : entries) {
            // What wakes the relay has not been used by any drain.
            lab.succeeds(NAME, entry, it -> LatencyRun.of(lab, it).delays(load(lab, WARM_UP_EVENTS, QUICK_RATE)));
        }
        lab.takeTurns(NAME, lab.plan().rounds(1), entries, entry -> {
            measure(lab, entry, SLOW, load(lab, lab.plan().seconds(40, 10) * SLOW_RATE, SLOW_RATE));
            measure(lab, entry, QUICK, load(lab, lab.plan().seconds(20, 5) * QUICK_RATE, QUICK_RATE));
        });
    }

    /** How often Debezium looks makes no difference but here. */
    private static boolean isCompared(ContenderEntry entry) {
        return (Bars.need(entry) || entry.name().startsWith(Bars.DEBEZIUM)) && !entry.isCeiling();
    }

    private static Load load(Lab lab, int events, int perSecond) {
        Backlog backlog = lab.plan().backlog(events, Plan.PAYLOAD, Plan.AGGREGATES);
        return new Load(new Backlog(events, backlog.payloadBytes(), backlog.aggregates()), perSecond, 1, 1);
    }

    private static void measure(Lab lab, ContenderEntry entry, String setting, Load load) throws Exception {
        List<Double> delays = LatencyRun.of(lab, entry).delays(load);
        LatencyFigures.add(lab, NAME, setting, entry.name(), delays);
    }
}
