package dev.typedoutbox.benchmark.harness;

import dev.typedoutbox.benchmark.contender.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A line of {@code contenders.txt}, which explains the columns. */
record ContenderEntry(String name, String module, String mainClass, Set<String> traits, Map<String, String> options) {
    private static final String NOTHING = "-";
    private static final int COLUMNS = 5;

    static List<ContenderEntry> readAll(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(ContenderEntry::parse)
                .toList();
    }

    static ContenderEntry parse(String line) {
        String[] columns = line.trim().split("\\s+", -1);
        if (columns.length != COLUMNS) {
            throw new IllegalArgumentException("line must have " + COLUMNS + " columns (was \"" + line + "\")");
        }
        Set<String> traits = columns[3].equals(NOTHING) ? Set.of() : Set.of(columns[3].split(",", -1));
        Map<String, String> options = columns[4].equals(NOTHING) ? Map.of() : Settings.parseOptions(columns[4]);
        return new ContenderEntry(columns[0], columns[1], columns[2], traits, options);
    }

    /** The same under another name, with one option more. */
    ContenderEntry with(String newName, String option, String value) {
        Map<String, String> more = new HashMap<>(options);
        more.put(option, value);
        return new ContenderEntry(newName, module, mainClass, traits, more);
    }

    boolean isCeiling() {
        return traits.contains("ceiling");
    }

    /** Whether it consumes a queue, and has no outbox to drain. */
    boolean isConsumer() {
        return traits.contains("consumer");
    }

    boolean isOrdered() {
        return traits.contains("ordered");
    }

    /** Whether it moves one event after the other, so that the quick form has only few for it. */
    boolean isSlow() {
        return traits.contains("slow");
    }

    boolean isLibrary() {
        return traits.contains("library");
    }

    /** Whether the relay is woken by the JVM that writes. */
    boolean isInProcess() {
        return traits.contains("in-process");
    }
}
