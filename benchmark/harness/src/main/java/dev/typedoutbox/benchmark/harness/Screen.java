package dev.typedoutbox.benchmark.harness;

import java.io.PrintStream;
import java.util.Locale;

/** What the run tells: its steps while it goes on, and the results apart from them. */
final class Screen {
    private final PrintStream steps;
    private final PrintStream results;
    private final long start = System.nanoTime();

    Screen(PrintStream steps, PrintStream results) {
        this.steps = steps;
        this.results = results;
    }

    void step(String format, Object... arguments) {
        double seconds = (System.nanoTime() - start) / 1e9;
        steps.printf(Locale.ROOT, "[%6.1f s] %s%n", seconds, String.format(Locale.ROOT, format, arguments));
        steps.flush();
    }

    void print(String lines) {
        results.println(lines);
        results.flush();
    }
}
