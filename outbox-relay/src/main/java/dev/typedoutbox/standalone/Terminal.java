package dev.typedoutbox.standalone;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;

/**
 * Where a command writes its results and its errors, and whom it asks. Results alone go to the standard output.
 *
 * @param out results
 * @param err errors and hints
 * @param question shows a question and returns the answer; empty where nobody can be asked
 */
record Terminal(PrintWriter out, PrintWriter err, Function<String, Optional<String>> question) {
    static Terminal ofProcess() {
        return new Terminal(
                new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8),
                Terminal::ask);
    }

    private static Optional<String> ask(String question) {
        return Optional.ofNullable(System.console()).map(console -> console.readLine("%s", question));
    }
}
