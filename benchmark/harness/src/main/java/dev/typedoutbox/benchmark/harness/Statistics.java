package dev.typedoutbox.benchmark.harness;

import java.util.Collection;

/** Figures from many values. */
final class Statistics {
    private Statistics() {}

    static double median(Collection<Double> values) {
        double[] sorted = sorted(values);
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    /** The smallest value that at least this share of all values does not exceed. */
    static double percentile(Collection<Double> values, double share) {
        double[] sorted = sorted(values);
        int rank = (int) Math.ceil(share * sorted.length);
        return sorted[Math.max(0, rank - 1)];
    }

    private static double[] sorted(Collection<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("values must not be empty (was empty)");
        }
        return values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    }
}
