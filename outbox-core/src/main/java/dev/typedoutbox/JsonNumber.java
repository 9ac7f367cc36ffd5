package dev.typedoutbox;

import java.math.BigDecimal;
import java.util.function.Supplier;

/** The numbers that {@code jsonb} takes: PostgreSQL's numeric. */
final class JsonNumber {
    /** Digits before and after the decimal point that numeric holds (Numeric Types, table 8.2). */
    private static final int MAX_INTEGER_DIGITS = 131_072;

    private static final int MAX_FRACTION_DIGITS = 16_383;

    /** With sign, point and exponent. The parser refuses longer ones unread, since reading takes quadratic time. */
    static final int MAX_LENGTH = MAX_INTEGER_DIGITS + MAX_FRACTION_DIGITS + 20;

    /** Numbers no longer than this without an exponent are within every bound. */
    private static final int SURELY_STORABLE = 1_000;

    private JsonNumber() {}

    /**
     * Checks a number.
     *
     * @return by how many digits it grows when it is written without its exponent
     */
    static long requireStorable(String text, Supplier<String> path) {
        boolean plain = text.indexOf('e') < 0 && text.indexOf('E') < 0;
        if (plain && text.length() <= SURELY_STORABLE) {
            return 0;
        }
        BigDecimal number = parse(text, path);
        long integerDigits = Math.max(1, (long) number.precision() - number.scale());
        long fractionDigits = Math.max(0, number.scale());
        if (integerDigits > MAX_INTEGER_DIGITS || fractionDigits > MAX_FRACTION_DIGITS) {
            throw outOfBounds(path, integerDigits + " and " + fractionDigits);
        }
        long written = integerDigits + fractionDigits + (fractionDigits > 0 ? 1 : 0) + (number.signum() < 0 ? 1 : 0);
        return Math.max(0, written - text.length());
    }

    private static BigDecimal parse(String text, Supplier<String> path) {
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException e) {
            throw outOfBounds(path, "an exponent beyond all bounds");
        }
    }

    private static InvalidEventException outOfBounds(Supplier<String> path, String found) {
        return new InvalidEventException(path.get() + " must have at most " + MAX_INTEGER_DIGITS + " digits before and "
                + MAX_FRACTION_DIGITS + " after the decimal point, as PostgreSQL's numeric (was " + found + ")");
    }
}
