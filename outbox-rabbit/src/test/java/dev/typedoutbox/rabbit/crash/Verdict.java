package dev.typedoutbox.rabbit.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * What the account of a run says.
 *
 * @param fault what was done
 * @param complaints what is wrong, in a sentence each; empty when all is right
 * @param events how many events were committed
 * @param lost how many of them did not arrive
 * @param duplicates how many deliveries were not the first of their event
 * @param orderViolations how many first deliveries came after a later event of their aggregate
 * @param recovered from the end of the fault to the first event that was published and marked
 * @param drained from the end of the fault to the last event that waited for it
 */
record Verdict(
        String fault,
        List<String> complaints,
        int events,
        int lost,
        int duplicates,
        int orderViolations,
        Duration recovered,
        Duration drained) {
    private static final Path FILE = Path.of("target", "faults.tsv");
    private static final String HEAD = "fault\tevents\tlost\tduplicates\torder_violations\trecovered_s\tdrained_s\n";

    /** One line for the log of the build, and one for the file of all runs. */
    void publish() {
        System.out.printf(
                Locale.ROOT,
                "fault=%s events=%d lost=%d duplicates=%d order_violations=%d recovered_s=%.2f drained_s=%.2f%n",
                values());
        append(String.format(Locale.ROOT, "%s\t%d\t%d\t%d\t%d\t%.2f\t%.2f%n", values()));
    }

    private Object[] values() {
        return new Object[] {
            fault.replace(' ', '_'),
            events,
            lost,
            duplicates,
            orderViolations,
            recovered.toMillis() / 1000.0,
            drained.toMillis() / 1000.0
        };
    }

    private static void append(String line) {
        try {
            Files.createDirectories(FILE.getParent());
            String text = Files.exists(FILE) ? line : HEAD + line;
            Files.writeString(FILE, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
