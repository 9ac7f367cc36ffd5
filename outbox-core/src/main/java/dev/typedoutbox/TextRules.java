package dev.typedoutbox;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Supplier;

/** What a text must be so that PostgreSQL stores it and a broker carries it. */
final class TextRules {
    static final int MAX_NAME_LENGTH = 100;

    /** AMQP's short strings, in which types, routing keys and names of headers travel, count bytes. */
    static final int MAX_SHORT_STRING_BYTES = 255;

    private static final int SHOWN = 40;
    private static final int REPLACEMENT = 0xFFFD;

    private TextRules() {}

    static void requireName(String property, String value) {
        int length = value.codePointCount(0, value.length());
        if (length == 0 || length > MAX_NAME_LENGTH) {
            throw new InvalidEventException(property + " must be 1 to " + MAX_NAME_LENGTH + " characters (was " + length
                    + (length == 0 ? "" : ": " + shown(value)) + ")");
        }
        requireStorable(property, value);
    }

    static void requireShortString(String property, String value) {
        requireStorable(property, value);
        int bytes = value.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_SHORT_STRING_BYTES) {
            throw new InvalidEventException(property + " must be at most " + MAX_SHORT_STRING_BYTES
                    + " bytes in UTF-8 (was " + bytes + ": " + shown(value) + ")");
        }
    }

    /** PostgreSQL's text and jsonb hold neither U+0000 nor half of a surrogate pair. */
    static void requireStorable(String property, String value) {
        requireStorable(() -> property, value);
    }

    static void requireStorable(Supplier<String> property, String value) {
        for (int i = 0; i < value.length(); i += Character.charCount(value.codePointAt(i))) {
            int c = value.codePointAt(i);
            if (c == 0) {
                throw new InvalidEventException(property.get() + " must not contain U+0000 (was at index " + i + ")");
            }
            if (isLoneSurrogate(c)) {
                throw new InvalidEventException(property.get() + " must not contain a lone surrogate (was "
                        + String.format(Locale.ROOT, "U+%04X", c) + " at index " + i + ")");
            }
        }
    }

    /** Whether a text of somebody else's can travel on, in a header of a bounded size; not if it is empty. */
    static boolean isCarried(String value) {
        return !value.isEmpty()
                && value.length() <= MAX_SHORT_STRING_BYTES
                && value.codePoints().noneMatch(c -> c == 0 || isLoneSurrogate(c));
    }

    /** A text that is safe to show: short, and with U+FFFD for what cannot be printed. */
    static String printable(String value) {
        int length = value.codePointCount(0, value.length());
        String start = value.codePoints()
                .limit(SHOWN)
                .map(c -> Character.isISOControl(c) || isLoneSurrogate(c) ? REPLACEMENT : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return length > SHOWN ? start + "..." : start;
    }

    private static boolean isLoneSurrogate(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }

    private static String shown(String value) {
        return '"' + printable(value) + '"';
    }
}
