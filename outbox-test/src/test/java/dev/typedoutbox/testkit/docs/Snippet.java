package dev.typedoutbox.testkit.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** A part of a test that a page of the documentation shows. */
final class Snippet {
    private static final Path SOURCES = Path.of("src/test/java/dev/typedoutbox/testkit/docs");

    private Snippet() {}

    /** Stands between a comment with its name and another with "end of" before the name. */
    static String of(Class<?> test, String name) throws IOException {
        List<String> lines = Files.readAllLines(SOURCES.resolve(test.getSimpleName() + ".java"));
        List<String> shown = lines.subList(find(lines, "// " + name) + 1, find(lines, "// end of " + name));
        int margin = shown.get(0).length() - shown.get(0).stripLeading().length();
        return shown.stream()
                .map(line -> line.isEmpty() ? line : line.substring(margin))
                .collect(Collectors.joining("\n", "```java\n", "\n```"));
    }

    private static int find(List<String> lines, String comment) {
        return lines.stream().map(String::strip).toList().indexOf(comment);
    }
}
