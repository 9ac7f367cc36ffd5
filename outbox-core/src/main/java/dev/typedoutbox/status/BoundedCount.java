package dev.typedoutbox.status;

import java.util.Locale;

/**
 * A number of rows that was counted up to a limit, so that counting costs little however many there are.
 *
 * @param value how many there are; the limit if there are more
 * @param isExact whether there are not more
 * @since 0.1.0
 */
public record BoundedCount(long value, boolean isExact) {
    /**
     * Checks the value.
     *
     * @param value how many there are
     * @param isExact whether there are not more
     * @throws IllegalArgumentException if the value is negative
     */
    public BoundedCount {
        if (value < 0) {
            throw new IllegalArgumentException("value must be at least 0 (was " + value + ")");
        }
    }

    /**
     * The number as people read it, such as {@code 1,234}, or {@code 10,000+} if there are more.
     *
     * @return the text, in English
     */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%,d%s", value, isExact ? "" : "+");
    }
}
