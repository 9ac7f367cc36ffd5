package dev.typedoutbox.benchmark.harness;

import dev.typedoutbox.benchmark.harness.Report.Failure;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What the scenarios work with: servers, contenders, and the report that they write. */
final class Lab implements AutoCloseable {
    private final Options options;
    private final Plan plan;
    private final List<ContenderEntry> contenders;
    private final Postgres postgres;
    private final Broker broker;
    private final Drainer drainer;
    private final Fleet fleet;
    private final Report report = new Report();
    private final Screen screen;

    Lab(Options options, Path folder, Screen screen) throws Exception {
        this.options = options;
        this.plan = new Plan(options);
        this.contenders = ContenderEntry.readAll(folder.resolve("contenders.txt"));
        this.screen = screen;
        // A wrong name shows before anything is started.
        contenders(entry -> true);
        this.postgres = options.jdbcUrl == null
                ? Postgres.startOwn()
                : Postgres.named(options.jdbcUrl, options.jdbcUser, options.jdbcPassword);
        this.broker = options.amqpUri == null ? Broker.startOwn() : Broker.named(options.amqpUri);
        this.drainer = new Drainer(postgres, broker, plan.longestWarmUp());
        this.fleet = new Fleet(folder, postgres, broker, drainer, screen);
        Circumstances.note(report, postgres, broker);
        report.circumstances().forEach((name, value) -> screen.step("%s: %s", name, value));
    }

    Plan plan() {
        return plan;
    }

    Postgres postgres() {
        return postgres;
    }

    Broker broker() {
        return broker;
    }

    Drainer drainer() {
        return drainer;
    }

    Fleet fleet() {
        return fleet;
    }

    Report report() {
        return report;
    }

    Screen screen() {
        return screen;
    }

    List<Bar> bars() {
        return new Bars(report, contenders).all();
    }

    /** The contenders with an outbox that the options name, or else those that a scenario takes by itself. */
    List<ContenderEntry> contenders(Predicate<ContenderEntry> byDefault) {
        return chosen(byDefault).filter(entry -> !entry.isConsumer()).toList();
    }

    /** The consumers that the options name, or else those that a scenario takes by itself. */
    List<ContenderEntry> consumers(Predicate<ContenderEntry> byDefault) {
        return chosen(byDefault).filter(ContenderEntry::isConsumer).toList();
    }

    private Stream<ContenderEntry> chosen(Predicate<ContenderEntry> byDefault) {
        return options.contenders == null
                ? contenders.stream().filter(byDefault)
                : Plan.chosen(contenders, options.contenders).stream();
    }

    List<ContenderEntry> contenders(String... names) {
        return contenders(entry -> List.of(names).contains(entry.name()));
    }

    /** What is done with a contender in its turn. */
    @FunctionalInterface
    interface Turn {
        void take(ContenderEntry entry) throws Exception;
    }

    /** Lets the contenders take turns, in each round another one first. One that fails is left out from then on. */
    void takeTurns(String scenario, int rounds, List<ContenderEntry> entries, Turn turn) throws Exception {
        Set<ContenderEntry> failed = new HashSet<>();
        for (int round = 0; round < rounds; round++) {
            List<ContenderEntry> order = new ArrayList<>(entries);
            Collections.rotate(order, -round);
            for (ContenderEntry entry : order) {
                if (!failed.contains(entry) && !succeeds(scenario, entry, turn)) {
                    failed.add(entry);
                }
            }
        }
    }

    boolean succeeds(String scenario, ContenderEntry entry, Turn turn) throws Exception {
        try {
            turn.take(entry);
            return true;
        } catch (ContenderFailure e) {
            String reason = String.valueOf(e.getMessage());
            screen.step("%s failed in %s: %s", entry.name(), scenario, reason);
            report.add(new Failure(scenario, entry.name(), reason));
            fleet.discard(entry);
            return false;
        }
    }

    @Override
    public void close() throws Exception {
        try {
            fleet.close();
        } finally {
            broker.close();
            postgres.close();
        }
    }
}
