package dev.typedoutbox.benchmark.harness;

import dev.typedoutbox.benchmark.contender.Backlog;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;

/** (a) How fast a backlog gets to a consumer. All contenders drain the first case; the others are for fewer of them. */
final class DrainScenario implements Scenario {
    static final String NAME = "drain";

    private static final int EVENTS = 100_000;
    private static final int MILLION = 1_000_000;
    private static final int LARGE = 10 * 1024;
    private static final int FEW = 100;

    private record Case(
            Function<ContenderEntry, Backlog> backlog, QueueKind queue, Predicate<ContenderEntry> takesPart) {}

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
            lab.takeTurns(
                    NAME,
                    lab.plan().rounds(),
                    lab.contenders(drained.takesPart()),
                    entry -> drain(lab, drained, entry));
        }
    }

    private static List<Case> cases(Plan plan) {
        Predicate<ContenderEntry> takesPart = plan.isQuick() ? Bars::need : entry -> true;
        Case first = new Case(plan::backlog, plan.queue(), takesPart);
        if (plan.isQuick() || plan.hasOwnCase()) {
            return List.of(first);
        }
        return List.of(
                first,
                variation(new Backlog(EVENTS, Plan.PAYLOAD, FEW), QueueKind.CLASSIC, "typed-outbox-2-unordered"),
                variation(new Backlog(EVENTS, Plan.PAYLOAD, Plan.AGGREGATES), QueueKind.QUORUM, "row-by-row"),
                variation(new Backlog(EVENTS, LARGE, Plan.AGGREGATES), QueueKind.CLASSIC, "row-by-row"),
                variation(new Backlog(MILLION, Plan.PAYLOAD, Plan.AGGREGATES), QueueKind.CLASSIC, "typed-outbox-4"));
    }

    private static Case variation(Backlog backlog, QueueKind queue, String besides) {
        List<String> names = List.of("ceiling", Bars.SUBJECT, besides);
        return new Case(entry -> backlog, queue, entry -> names.contains(entry.name()));
    }

    private static void drain(Lab lab, Case drained, ContenderEntry entry) throws Exception {
        Backlog backlog = drained.backlog().apply(entry);
        Drain drain = lab.drainer().drain(lab.fleet().warm(entry), backlog, drained.queue());
        String setting = setting(backlog, drained.queue());
        lab.report().add(NAME, setting, entry.name(), Figure.RATE, drain.perSecond());
        lab.report().addCosts(NAME, setting, entry.name(), drain);
        lab.screen().step("%-26s %,8.0f events/s  %s", entry.name(), drain.perSecond(), setting);
    }
}
