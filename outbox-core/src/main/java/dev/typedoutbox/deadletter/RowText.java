package dev.typedoutbox.deadletter;

/** What a text must be to be found in a row, or written to it. */
final class RowText {
    static final int MAX_NAME = 100;
    static final int MAX_ERROR = 2_000;

    /** Shorter than the column, which holds a word before it. */
    static final int MAX_REASON = 1_000;

    private RowText() {}

    static void require(String property, int most, String text) {
        int length = text.codePointCount(0, text.length());
        if (length == 0 || length > most) {
            throw new IllegalArgumentException(property + " must be 1 to " + most + " characters (was " + length + ")");
        }
        if (text.codePoints().anyMatch(RowText::isUnstorable)) {
            throw new IllegalArgumentException(
                    property + " must not contain U+0000 or a lone surrogate, which no row can hold (was one)");
        }
    }

    static void requireReason(String reason) {
        require("reason", MAX_REASON, reason);
        if (reason.isBlank()) {
            throw new IllegalArgumentException("reason must say why (was blank)");
        }
    }

    private static boolean isUnstorable(int codePoint) {
        return codePoint == 0 || (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE);
    }
}
