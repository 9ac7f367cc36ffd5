package dev.typedoutbox;

import dev.typedoutbox.store.RowText;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/** What a text must be so that PostgreSQL stores it and a broker carries it. */
final class TextRules {
    /** AMQP's short strings, in which types, routing keys and names of headers travel, count bytes. */
    static final int MAX_SHORT_STRING_BYTES = 255;

    private static final int SHOWN = 40;
    private static final int REPLACEMENT = 0xFFFD;

    private TextRules() {}

    static void requireName(String property, String value) {
        int length = value.codePointCount(0, value.length());
        if (length == 0 || length > RowText.MAX_NAME_LENGTH) {
            throw new InvalidEventException(property + " must be 1 to " + RowText.MAX_NAME_LENGTH + " characters (was "
                    + length + (length == 0 ? "" : ": " + shown(value)) + ")");
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

    static void requireStorable(String property, String value) {
        requireStorable(() -> property, value);
    }

    static void requireStorable(Supplier<String> property, String value) {
        RowText.flawOf(value).ifPresent(flaw -> {
            throw new InvalidEventException(property.get() + " " + flaw);
        });
    }

    /** Whether a text of somebody else's can travel on, in a header of a bounded size; not if it is empty. */
    static boolean isCarried(String value) {
        return !value.isEmpty()
                && value.length() <= MAX_SHORT_STRING_BYTES
                && RowText.flawOf(value).isEmpty();
    }

    /** A text that is safe to show: short, and with U+FFFD for what cannot be printed. */
    static String printable(String value) {
        int length = value.codePointCount(0, value.length());
        String start = value.codePoints()
                .limit(SHOWN)
                .map(c -> Character.isISOControl(c) || RowText.isUnstorable(c) ? REPLACEMENT : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return length > SHOWN ? start + "..." : start;
    }

    private static String shown(String value) {
        return '"' + printable(value) + '"';
    }
}
