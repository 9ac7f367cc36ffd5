package dev.typedoutbox.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The last lines of a server's log, for error messages. */
final class LogTail {

    private static final int LINES = 20;

    private LogTail() {}

    static String of(Path log) {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join(System.lineSeparator(), lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
        } catch (IOException e) {
            return "(no log at " + log + ")";
        }
    }
}
