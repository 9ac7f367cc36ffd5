package dev.typedoutbox.benchmark.harness;

import java.util.List;

/** What is told of many delays. */
final class LatencyFigures {
    static final Figure P50 = new Figure("p50", "ms", 1);
    static final Figure P99 = new Figure("p99", "ms", 1);
    static final Figure MAX = new Figure("max", "ms", 1);

    private LatencyFigures() {}

    static void add(Lab lab, String scenario, String setting, String subject, List<Double> millis) {
        double p50 = Statistics.percentile(millis, 0.5);
        double p99 = Statistics.percentile(millis, 0.99);
        double max = Statistics.percentile(millis, 1);
        lab.report().add(scenario, setting, subject, P50, p50);
        lab.report().add(scenario, setting, subject, P99, p99);
        lab.report().add(scenario, setting, subject, MAX, max);
        lab.screen().step("%-26s p50 %.1f, p99 %.1f, max %.1f ms  %s", subject, p50, p99, max, setting);
    }
}
