package dev.typedoutbox.benchmark.harness;

import java.io.PrintStream;
import java.util.Locale;

/** What the run tells while it goes on. */
final class Screen {
    private final PrintStream out;
    private final long start = System.nanoTime();

    Screen(PrintStream out) {
        this.out = out;
    }

    void step(String format, Object... arguments) {
        double seconds = (System.nanoTime() - start) / 1e9;
        out.printf(Locale.ROOT, "[%6.1f s] %s%n", seconds, String.format(Locale.ROOT, format, arguments));
        out.flush();
    }

    void print(String lines) {
        out.println(lines);
        out.flush();
    }
}
