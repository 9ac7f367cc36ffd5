package dev.typedoutbox.migratein;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** docs/migrating-in.md: its commands name the files that are run, in their order. */
final class MigrationPage {
    private static final Path PAGE = Path.of("../docs/migrating-in.md");
    private static final Path FILES = Path.of("../db/src/main/resources/dev/typedoutbox/db");
    private static final Pattern FILE = Pattern.compile("-f (\\S+\\.sql)");

    private MigrationPage() {}

    static List<String> filesUnder(String heading) {
        String page = read(PAGE);
        int start = page.indexOf("\n## " + heading + "\n");
        int end = page.indexOf("\n## ", start + 1);
        return FILE.matcher(page.substring(start, end < 0 ? page.length() : end))
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    static String contentOf(String file) {
        return read(FILES.resolve(file));
    }

    private static String read(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
