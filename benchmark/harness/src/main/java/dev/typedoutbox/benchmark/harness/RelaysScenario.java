package dev.typedoutbox.benchmark.harness;

import dev.typedoutbox.benchmark.contender.Backlog;
import java.util.List;

/** (i) Two relay processes beside one, on the same outbox. */
final class RelaysScenario implements Scenario {
    static final String NAME = "relays";

    private static final int EVENTS = 100_000;
    private static final int QUICK_EVENTS = 30_000;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void run(Lab lab) throws Exception {
        Backlog backlog = lab.plan().backlog(lab.plan().events(EVENTS, QUICK_EVENTS), Plan.PAYLOAD, Plan.AGGREGATES);
        lab.takeTurns(NAME, lab.plan().rounds(1), lab.contenders("typed-outbox-1", Bars.SUBJECT), entry -> {
            ContenderProcess first = lab.fleet().warm(entry);
            ContenderProcess second = lab.fleet().secondRelay(entry);
            measure(lab, "one process", List.of(first), backlog);
            measure(lab, "two processes", List.of(first, second), backlog);
        });
    }

    private static void measure(Lab lab, String setting, List<ContenderProcess> relays, Backlog backlog)
            throws Exception {
        Drain drain = lab.drainer().drain(relays, backlog, lab.plan().queue(), lab.postgres()::checkpoint);
        String subject = relays.get(0).entry().name();
        lab.report().add(NAME, setting, subject, Figure.RATE, drain.perSecond());
        lab.screen().step("%-26s %,.0f events/s  %s", subject, drain.perSecond(), setting);
    }
}
