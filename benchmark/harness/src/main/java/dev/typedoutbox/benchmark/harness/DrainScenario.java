package dev.typedoutbox.benchmark.harness;

import dev.typedoutbox.benchmark.contender.Backlog;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** (a) How fast a backlog gets into the queue. All contenders drain the first case; the others are for fewer of them. */
final class DrainScenario implements Scenario {
    static final String NAME = "drain";

    private static final int LARGE = 10 * 1024;
    private static final int FEW = 100;
    private static final int MILLION = 1_000_000;

    private record Case(Backlog backlog, QueueKind queue, Predicate<ContenderEntry> takesPart) {
        String setting() {
            return DrainScenario.setting(backlog, queue);
        }
    }

    static String setting(Backlog backlog, QueueKind queue) {
        return String.format(
                Locale.ROOT,
                "%,d events of %,d bytes, %,d aggregates, %s queue",
                backlog.events(),
                backlog.payloadBytes(),
                backlog.aggregates(),
                queue);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void run(Lab lab) throws Exception {
        for (Case drained : cases(lab.plan())) {
            lab.takeTurns(NAME, lab.contenders(drained.takesPart()), entry -> drain(lab, drained, entry));
        }
    }

    private static List<Case> cases(Plan plan) {
        Case first = new Case(plan.backlog(), plan.queue(), entry -> true);
        if (plan.isQuick() || plan.hasOwnCase()) {
            return List.of(first);
        }
        int events = (int) first.backlog().events();
        Predicate<ContenderEntry> few =
                entry -> List.of("ceiling", "row-by-row", "typed-outbox-2").contains(entry.name());
        Predicate<ContenderEntry> fast = entry ->
                List.of("ceiling", "typed-outbox-2", "typed-outbox-2-unordered").contains(entry.name());
        return List.of(
                first,
                new Case(plan.backlog(events, Plan.PAYLOAD, FEW), QueueKind.CLASSIC, fast),
                new Case(plan.backlog(events, Plan.PAYLOAD, Plan.AGGREGATES), QueueKind.QUORUM, few),
                new Case(plan.backlog(events, LARGE, Plan.AGGREGATES), QueueKind.CLASSIC, few),
                new Case(plan.backlog(MILLION, Plan.PAYLOAD, Plan.AGGREGATES), QueueKind.CLASSIC, fast));
    }

    private static void drain(Lab lab, Case drained, ContenderEntry entry) throws Exception {
        ContenderProcess contender = lab.fleet().warm(entry);
        Drain drain = lab.drainer().drain(contender, drained.backlog(), drained.queue());
        lab.report().add(NAME, drained.setting(), entry.name(), Figure.RATE, drain.perSecond());
        lab.screen().step("%-26s %,8.0f events/s  %s", entry.name(), drain.perSecond(), drained.setting());
    }
}
