package dev.typedoutbox.admin;

import java.time.Duration;

/** Counts delays in classes that are each 4 % wider than the one before, from a microsecond to 36 years. */
final class DelayHistogram {
    private static final int CLASSES_OF_AN_OCTAVE = 16;
    private static final int CLASSES = 50 * CLASSES_OF_AN_OCTAVE;
    private static final double LOG_2 = Math.log(2);
    private static final double MICROS_OF_A_MILLI = 1_000;

    private final int[] counts = new int[CLASSES];
    private long total;

    void add(Duration delay) {
        double micros = Math.max(0, delay.toNanos() / 1_000.0);
        int index = (int) (CLASSES_OF_AN_OCTAVE * Math.log(micros + 1) / LOG_2);
        counts[Math.min(index, CLASSES - 1)]++;
        total++;
    }

    boolean isEmpty() {
        return total == 0;
    }

    /** The delay in milliseconds that the given part of all stays within. */
    double millis(double part) {
        long rank = Math.max(1, (long) Math.ceil(part * total));
        int index = 0;
        for (long seen = counts[0]; seen < rank; seen += counts[index]) {
            index++;
        }
        return (Math.pow(2, (index + 0.5) / CLASSES_OF_AN_OCTAVE) - 1) / MICROS_OF_A_MILLI;
    }
}
