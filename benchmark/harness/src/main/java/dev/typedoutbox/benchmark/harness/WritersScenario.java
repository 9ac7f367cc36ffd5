package dev.typedoutbox.benchmark.harness;

import dev.typedoutbox.benchmark.contender.Backlog;
import dev.typedoutbox.benchmark.harness.WakeUp.Trigger;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * (d) What the outbox costs those who write: transactions a second of 32 clients that insert an order each, without and with
 * an event, and by what the table does to wake the relay.
 */
final class WritersScenario implements Scenario {
    static final String NAME = "writers";

    private static final Figure TRANSACTIONS = new Figure("transactions", "/s", 0);
    private static final int CLIENTS = 32;
    private static final int SECONDS = 10;
    private static final int QUICK_SECONDS = 3;
    private static final Duration LONGEST_CATCH_UP = Duration.ofMinutes(2);

    private enum Relay {
        /** There is none. */
        OFF,
        /** A sleeping one, which the writers' notifications do not wake: the worst case for them. */
        ASLEEP,
        /** It publishes what they write, on the same processors. */
        BUSY
    }

    private enum Variant {
        ORDERS_ALONE(false, Trigger.NONE, Relay.OFF),
        NO_TRIGGER_OFF(true, Trigger.NONE, Relay.OFF),
        NO_TRIGGER_BUSY(true, Trigger.NONE, Relay.BUSY),
        PLAIN_TRIGGER_OFF(true, Trigger.PLAIN, Relay.OFF),
        PLAIN_TRIGGER_BUSY(true, Trigger.PLAIN, Relay.BUSY),
        GATED_TRIGGER_OFF(true, Trigger.GATED, Relay.OFF),
        GATED_TRIGGER_ASLEEP(true, Trigger.GATED, Relay.ASLEEP),
        GATED_TRIGGER_BUSY(true, Trigger.GATED, Relay.BUSY);

        private final boolean event;
        private final Trigger trigger;
        private final Relay relay;

        Variant(boolean event, Trigger trigger, Relay relay) {
            this.event = event;
            this.trigger = trigger;
            this.relay = relay;
        }

        String title() {
            return event
                    ? "order + event, " + trigger + " trigger, relay "
                            + relay.name().toLowerCase(Locale.ROOT)
                    : "order alone";
        }
    }

    /** How much of the writers' rate the gated trigger leaves, beside none, while the relay is busy. */
    static Optional<Double> kept(Report report) {
        Optional<Measure> without = find(report, Variant.NO_TRIGGER_BUSY);
        return find(report, Variant.GATED_TRIGGER_BUSY).flatMap(gated -> without.map(gated::ratioTo));
    }

    private static Optional<Measure> find(Report report, Variant variant) {
        return report.find(NAME, setting(), variant.title(), TRANSACTIONS);
    }

    private static String setting() {
        return CLIENTS + " clients, one event in a transaction";
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void run(Lab lab) throws Exception {
        List<Variant> variants = lab.plan().isQuick()
                ? List.of(Variant.NO_TRIGGER_BUSY, Variant.GATED_TRIGGER_BUSY)
                : List.of(Variant.values());
        for (int round = 0; round < lab.plan().rounds(); round++) {
            for (Variant variant : variants) {
                for (ContenderEntry entry : lab.contenders(Bars.SUBJECT)) {
                    lab.succeeds(NAME, entry, it -> measure(lab, it, variant));
                }
            }
        }
    }

    private static void measure(Lab lab, ContenderEntry entry, Variant variant) throws Exception {
        ContenderProcess relay = lab.fleet().warm(entry);
        PGSimpleDataSource database = lab.fleet().database(entry);
        Writers.createTables(database);
        lab.broker().renewQueue(QueueKind.CLASSIC);
        lab.postgres().checkpoint();
        Writers writers = new Writers(database, CLIENTS, variant.event);
        if (variant.relay == Relay.BUSY) {
            // While the trigger is still there: a relay does not start without it.
            relay.startWork();
        }
        try (WakeUp wakeUp = WakeUp.with(database, variant.trigger, variant.relay == Relay.ASLEEP)) {
            double perSecond = writers.run(Duration.ofSeconds(lab.plan().seconds(SECONDS, QUICK_SECONDS)));
            wakeUp.check();
            if (variant.relay == Relay.BUSY) {
                awaitRelay(lab, relay, writers.written());
            }
            lab.report().add(NAME, setting(), variant.title(), TRANSACTIONS, perSecond);
            lab.screen().step("%-52s %,8.0f transactions/s", variant.title(), perSecond);
        }
    }

    /** The relay must have published all of it, once each; which writer was first in an aggregate is not known here. */
    private static void awaitRelay(Lab lab, ContenderProcess relay, long written) throws Exception {
        long end = System.nanoTime() + LONGEST_CATCH_UP.toNanos();
        while (lab.broker().count() < written && System.nanoTime() < end) {
            Thread.sleep(20);
        }
        relay.stopWork();
        Ledger ledger = new Ledger(new Backlog(written, Plan.PAYLOAD, Plan.AGGREGATES), false);
        lab.broker().readBack(ledger);
        ledger.check();
    }
}
