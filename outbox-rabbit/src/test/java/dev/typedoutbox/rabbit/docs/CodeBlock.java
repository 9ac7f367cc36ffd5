package dev.typedoutbox.rabbit.docs;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A block of code on a page.
 *
 * @param before the last line of text before it, which may say why nothing tests it
 */
record CodeBlock(String page, int line, String language, List<String> code, String before) {
    private static final Pattern EXCUSE = Pattern.compile("<!-- untested: (.*\\S) *-->");

    boolean is(String... languages) {
        return List.of(languages).contains(language);
    }

    boolean isExcused() {
        Matcher excuse = EXCUSE.matcher(before);
        return excuse.matches();
    }

    String text() {
        return String.join("\n", code);
    }

    /** Whether the file has these lines, one after the other, with any indentation. */
    boolean isIn(String file) {
        return !code.isEmpty() && lines(file).contains(lines(text()));
    }

    private static String lines(String text) {
        return text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining("\n", "\n", "\n"));
    }

    @Override
    public String toString() {
        return page + ":" + line + " (" + language + ")";
    }
}
