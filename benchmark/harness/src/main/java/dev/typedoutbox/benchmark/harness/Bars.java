package dev.typedoutbox.benchmark.harness;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What Typed Outbox has to reach: with two workers and in strict order, and its consumer as it is by default. */
final class Bars {
    /** The contender that has to reach it. */
    static final String SUBJECT = "typed-outbox-2";

    private static final String CEILING = "ceiling";
    private static final String ROW_BY_ROW = "row-by-row";
    static final String DEBEZIUM = "debezium";

    private final Report report;
    private final List<ContenderEntry> contenders;

    Bars(Report report, List<ContenderEntry> contenders) {
        this.report = report;
        this.contenders = contenders;
    }

    /** Whether a bar is about this contender. */
    static boolean need(ContenderEntry entry) {
        return entry.isLibrary()
                || List.of(SUBJECT, CEILING, ROW_BY_ROW, DEBEZIUM).contains(entry.name());
    }

    /** Those of which the figure was measured. */
    List<Bar> all() {
        Optional<Measure> batches = report.first(ConsumeScenario.NAME, ConsumeScenario.BATCHES, Figure.RATE);
        Optional<Measure> single = report.first(ConsumeScenario.NAME, ConsumeScenario.SINGLE, Figure.RATE);
        return Stream.of(
                        atLeast("drain / broker's ceiling", 0.90, drainRatio(CEILING::equals)),
                        atLeast("drain / row by row", 8, drainRatio(ROW_BY_ROW::equals)),
                        atLeast("drain / best outbox library", 6, drainRatio(this::isLibrary)),
                        atLeast("drain / Debezium's engine", 1.5, drainRatio(name -> name.startsWith(DEBEZIUM))),
                        atLeast(
                                "open snapshot: last 50,000 / first",
                                0.90,
                                median(SnapshotScenario.NAME, SnapshotScenario.KEPT)),
                        atLeast(
                                "with processed and dead rows / without",
                                0.95,
                                median(CrowdScenario.NAME, CrowdScenario.KEPT)),
                        atLeast("purging old rows meanwhile / not", 0.80, PurgeScenario.kept(report)),
                        atLeast("writers: gated trigger / none, relay busy", 0.90, WritersScenario.kept(report)),
                        atMost(
                                "latency, ms: one event a second, p50",
                                4.5,
                                idle(IdleScenario.SLOW, LatencyFigures.P50)),
                        atMost("latency, ms: one event a second, p99", 12, idle(IdleScenario.SLOW, LatencyFigures.P99)),
                        atMost(
                                "latency, ms: 50 events a second, p50",
                                3.5,
                                idle(IdleScenario.QUICK, LatencyFigures.P50)),
                        atMost(
                                "latency, ms: 50 events a second, p99",
                                10,
                                idle(IdleScenario.QUICK, LatencyFigures.P99)),
                        atMost("statements an event", 0.02, median(CostScenario.NAME, CostScenario.STATEMENTS)),
                        atLeast(
                                "events of 10 KiB drained with -Xmx128m",
                                1,
                                median(HeapScenario.NAME, HeapScenario.SHARE)),
                        atLeast(
                                "consume: in batches / one at a time",
                                8,
                                batches.flatMap(rate -> single.map(rate::ratioTo))),
                        atLeast("consume, events a second: in batches", 5_000, batches.map(Measure::median)))
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<Double> drainRatio(Predicate<String> other) {
        Optional<Measure> best = report.measures(DrainScenario.NAME).stream()
                .filter(measure -> other.test(measure.subject()))
                .map(Measure::subject)
                .distinct()
                .flatMap(subject -> report.first(DrainScenario.NAME, subject, Figure.RATE).stream())
                .max(Comparator.comparingDouble(Measure::median));
        Optional<Measure> own = report.first(DrainScenario.NAME, SUBJECT, Figure.RATE);
        return own.flatMap(measure -> best.map(measure::ratioTo));
    }

    private boolean isLibrary(String name) {
        return contenders.stream()
                .anyMatch(entry -> entry.isLibrary() && entry.name().equals(name));
    }

    private Optional<Double> median(String scenario, Figure figure) {
        return report.measures(scenario).stream()
                .filter(measure -> measure.isOf(scenario, measure.setting(), SUBJECT, figure))
                .findFirst()
                .map(Measure::median);
    }

    private Optional<Double> idle(String setting, Figure figure) {
        return report.find(IdleScenario.NAME, setting, SUBJECT, figure).map(Measure::median);
    }

    private static Optional<Bar> atLeast(String name, double bound, Optional<Double> value) {
        return value.map(figure -> new Bar(name, bound, true, figure));
    }

    private static Optional<Bar> atMost(String name, double bound, Optional<Double> value) {
        return value.map(figure -> new Bar(name, bound, false, figure));
    }
}
