package dev.typedoutbox.benchmark.harness;

import dev.typedoutbox.benchmark.contender.Backlog;
import dev.typedoutbox.benchmark.contender.Load;
import java.util.List;
import java.util.Optional;

/**
 * (b) How long events are under way at a quarter, a half and three quarters of the rate at which the contender drains a
 * backlog. The writers and the consumer share the machine's processors with it, so that the highest rate may not be reached;
 * what was reached is reported.
 */
final class SteadyScenario implements Scenario {
    static final String NAME = "steady";

    private static final Figure WRITTEN = new Figure("written", "events/s", 0);
    private static final int SECONDS = 15;
    private static final int WARM_UP_SECONDS = 5;
    private static final int THREADS = 8;
    /** Above this rate the events are written ten in a transaction: one each would be more than the disk can do. */
    private static final int SINGLE = 1_000;

    private static final int SEVERAL = 10;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void run(Lab lab) throws Exception {
        List<ContenderEntry> entries = lab.contenders(entry -> Bars.need(entry) && !entry.isCeiling());
        lab.takeTurns(NAME, lab.plan().rounds(1), entries, entry -> {
            double drained = drainRate(lab, entry);
            // The writer's process is new, and compiles what it runs beside the first events.
            LatencyRun.of(lab, entry).delays(load(lab, entry, drained / 4, lab.plan().seconds(WARM_UP_SECONDS, 1)));
            for (int percent : List.of(25, 50, 75)) {
                measure(lab, entry, percent, drained * percent / 100);
            }
        });
    }

    private static void measure(Lab lab, ContenderEntry entry, int percent, double perSecond) throws Exception {
        LatencyRun run = LatencyRun.of(lab, entry);
        String setting = percent + " % of the contender's drain rate";
        List<Double> delays = run.delays(load(lab, entry, perSecond, lab.plan().seconds(SECONDS, 5)));
        lab.report().add(NAME, setting, entry.name(), WRITTEN, run.writtenPerSecond());
        LatencyFigures.add(lab, NAME, setting, entry.name(), delays);
    }

    private static Load load(Lab lab, ContenderEntry entry, double perSecond, int seconds) {
        Backlog form = lab.plan().backlog(entry);
        Backlog events = new Backlog((int) (perSecond * seconds), form.payloadBytes(), form.aggregates());
        return new Load(events, perSecond, perSecond > SINGLE ? SEVERAL : 1, THREADS);
    }

    private static double drainRate(Lab lab, ContenderEntry entry) throws Exception {
        Optional<Measure> known = lab.report().first(DrainScenario.NAME, entry.name(), Figure.RATE);
        return known.isPresent() ? known.get().median() : drain(lab, entry);
    }

    private static double drain(Lab lab, ContenderEntry entry) throws Exception {
        Backlog backlog = lab.plan().backlog(entry);
        double rate = lab.drainer()
                .drain(lab.fleet().warm(entry), backlog, QueueKind.CLASSIC)
                .perSecond();
        String setting = DrainScenario.setting(backlog, QueueKind.CLASSIC);
        lab.report().add(DrainScenario.NAME, setting, entry.name(), Figure.RATE, rate);
        return rate;
    }
}
