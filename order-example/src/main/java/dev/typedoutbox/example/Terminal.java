package dev.typedoutbox.example;

import java.io.PrintStream;
import java.util.Locale;

/** What the run tells its user: steps with the time, one line of progress, errors. */
final class Terminal {
    private static final String BACK_AND_CLEAR = "\r\033[K";
    private static final double SECONDS_BETWEEN_UPDATES = 0.1;
    private static final double SECONDS_BETWEEN_PLAIN_LINES = 3;

    private final PrintStream out;
    private final PrintStream err;
    private final boolean interactive;
    private final long start = System.nanoTime();
    private boolean inLine;
    private double lastProgress;

    Terminal(PrintStream out, PrintStream err, boolean interactive) {
        this.out = out;
        this.err = err;
        this.interactive = interactive;
    }

    /** Where the JDK gives a console even without a terminal (22 to 24), {@link FreshJvm} switches that off. */
    @SuppressWarnings("SystemConsoleNull")
    static Terminal ofProcess() {
        boolean canGoBack = System.console() != null && !"dumb".equals(System.getenv("TERM"));
        return new Terminal(System.out, System.err, canGoBack);
    }

    PrintStream out() {
        return out;
    }

    double seconds() {
        return (System.nanoTime() - start) / 1e9;
    }

    synchronized void step(String text) {
        endLine();
        out.println(timed(text));
        lastProgress = seconds();
    }

    /** Shown again and again on one line of a terminal, and now and then where there is none. */
    synchronized void progress(String text) {
        double since = seconds() - lastProgress;
        if (interactive && since >= SECONDS_BETWEEN_UPDATES) {
            out.print(BACK_AND_CLEAR + timed(text));
            out.flush();
            inLine = true;
            lastProgress = seconds();
        } else if (!interactive && since >= SECONDS_BETWEEN_PLAIN_LINES) {
            step(text);
        }
    }

    synchronized void print(String lines) {
        endLine();
        out.println(lines);
    }

    synchronized void error(String text) {
        endLine();
        out.flush();
        err.println("error: " + text);
    }

    synchronized void stackTrace(Throwable failure) {
        failure.printStackTrace(err);
    }

    private void endLine() {
        if (inLine) {
            out.print(BACK_AND_CLEAR);
            inLine = false;
        }
    }

    private String timed(String text) {
        return String.format(Locale.ROOT, "[%5.1f s] %s", seconds(), text);
    }
}
