package dev.typedoutbox.benchmark.harness;

import dev.typedoutbox.benchmark.contender.Backlog;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * (j) How fast a filled queue is consumed when each event writes one row, beside the broker alone; and that it is written
 * once when messages come twice.
 */
final class ConsumeScenario implements Scenario {
    static final String NAME = "consume";
    static final String BATCHES = "typed-outbox-consumer";
    static final String SINGLE = "typed-outbox-consumer-1";

    private static final Figure MESSAGES = new Figure("rate", "messages/s", 0);
    private static final int EVENTS = 100_000;
    private static final int QUICK_EVENTS = 30_000;
    private static final int QUICK_SLOW_EVENTS = 6_000;

    private record Case(
            Function<Backlog, Feed> feed, QueueKind queue, int rounds, Predicate<ContenderEntry> takesPart) {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void run(Lab lab) throws Exception {
        for (Case consumed : cases(lab.plan())) {
            lab.takeTurns(
                    NAME,
                    consumed.rounds(),
                    lab.consumers(consumed.takesPart()),
                    entry -> consume(lab, consumed, entry));
        }
    }

    private static List<Case> cases(Plan plan) {
        List<Case> cases = new ArrayList<>();
        cases.add(new Case(Feed::once, plan.queue(), plan.rounds(), entry -> true));
        cases.add(new Case(
                Feed::withCopies,
                plan.queue(),
                plan.rounds(1),
                entry -> entry.name().equals(BATCHES)));
        if (!plan.isQuick() && !plan.hasOwnCase()) {
            cases.add(new Case(Feed::once, QueueKind.QUORUM, plan.rounds(), entry -> true));
        }
        return cases;
    }

    private static void consume(Lab lab, Case consumed, ContenderEntry entry) throws Exception {
        QueueDrainer drainer = new QueueDrainer(lab);
        Backlog warmUp = backlog(lab.plan(), QUICK_EVENTS);
        ContenderProcess consumer = lab.fleet().warm(entry, started -> drainer.warmUp(started, Feed.once(warmUp)));
        Feed feed = consumed.feed().apply(backlog(lab.plan(), entry.isSlow() ? QUICK_SLOW_EVENTS : QUICK_EVENTS));
        Drain drain = drainer.drain(consumer, feed, consumed.queue());
        report(lab, entry, drain, feed, consumed.queue());
    }

    private static Backlog backlog(Plan plan, int quick) {
        return plan.backlog(plan.events(EVENTS, quick), Plan.PAYLOAD, Plan.AGGREGATES);
    }

    private static void report(Lab lab, ContenderEntry entry, Drain drain, Feed feed, QueueKind queue) {
        String setting = DrainScenario.setting(feed.events(), queue)
                + (feed.hasCopies() ? ", " + Feed.COPIES_PERCENT + " % of them twice" : "");
        Figure rate = feed.hasCopies() ? MESSAGES : Figure.RATE;
        lab.report().add(NAME, setting, entry.name(), rate, drain.perSecond());
        lab.report().addCosts(NAME, setting, entry.name(), drain);
        lab.screen().step("%-26s %,8.0f %s  %s", entry.name(), drain.perSecond(), rate.unit(), setting);
    }
}
