package dev.typedoutbox.standalone;

import java.util.regex.Pattern;

/** Somebody else's text on our terminal: in one line, and nothing in it that a terminal would obey. */
final class Printable {
    private static final Pattern OBEYED = Pattern.compile("[\\p{Cc}\\p{Cf}\\u2028\\u2029]");

    private Printable() {}

    static String of(String text) {
        return OBEYED.matcher(text.replaceAll("\\s+", " ").strip()).replaceAll("?");
    }

    static String of(String text, int longest) {
        String printable = of(text);
        return printable.codePointCount(0, printable.length()) <= longest
                ? printable
                : printable.substring(0, printable.offsetByCodePoints(0, longest - 1)) + "…";
    }
}
