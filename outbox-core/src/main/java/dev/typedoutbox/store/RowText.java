package dev.typedoutbox.store;

import java.util.Locale;
import java.util.Optional;

/** What a text must be to be written to a row, or to be found in one. */
public final class RowText {
    /** How many characters the columns hold that name something. */
    public static final int MAX_NAME_LENGTH = 100;

    private RowText() {}

    /** Requires a text of 1 to some number of characters that a row can hold. */
    public static void require(String property, int most, String text) {
        int length = text.codePointCount(0, text.length());
        if (length == 0 || length > most) {
            throw new IllegalArgumentException(property + " must be 1 to " + most + " characters (was " + length + ")");
        }
        flawOf(text).ifPresent(flaw -> {
            throw new IllegalArgumentException(property + " " + flaw);
        });
    }

    /** Why no row can hold a text, to be told after the property's name; empty if one can. */
    public static Optional<String> flawOf(String text) {
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int c = text.codePointAt(i);
            if (isUnstorable(c)) {
                return Optional.of(
                        c == 0
                                ? "must not contain U+0000 (was at index " + i + ")"
                                : "must not contain a lone surrogate (was " + String.format(Locale.ROOT, "U+%04X", c)
                                        + " at index " + i + ")");
            }
        }
        return Optional.empty();
    }

    /** PostgreSQL's text and jsonb hold neither U+0000 nor half of a surrogate pair. */
    public static boolean isUnstorable(int codePoint) {
        return codePoint == 0 || (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE);
    }
}
