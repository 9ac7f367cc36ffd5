package dev.typedoutbox.example;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Runs the example in this JVM and keeps what it says. */
final class Transcript {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    int run(String... args) {
        return OrderExample.run(new Terminal(stream(out), stream(err), false), args);
    }

    String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    /** The value of a row of the summary, without commas. */
    long figure(String name) {
        String row = out().lines()
                .filter(line -> line.startsWith("  " + name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + name + " in:\n" + out() + err()));
        return Long.parseLong(
                row.substring(name.length() + 2).strip().split(" ", -1)[0].replace(",", ""));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }
}
