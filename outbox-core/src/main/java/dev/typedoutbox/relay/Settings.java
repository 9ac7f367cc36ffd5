package dev.typedoutbox.relay;

import java.time.Duration;
import java.util.Objects;

/** The rules that settings share, and their wording. */
final class Settings {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final int LONGEST_NAME = 100;

    private Settings() {}

    static Duration requireBetween(String property, Duration longest, Duration value) {
        Objects.requireNonNull(value, property);
        if (value.compareTo(SHORTEST) < 0 || value.compareTo(longest) > 0) {
            throw new IllegalArgumentException(
                    property + " must be between " + SHORTEST + " and " + longest + " (was " + value + ")");
        }
        return value;
    }

    static long requireBetween(String property, long least, long most, long value) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    property + " must be between " + least + " and " + most + " (was " + value + ")");
        }
        return value;
    }

    static String requireName(String property, String value) {
        if (!isName(value)) {
            throw new IllegalArgumentException(
                    property + " must be 1 to " + LONGEST_NAME + " characters, not all of them blank and none a control"
                            + " character (was \"" + value.replaceAll("\\p{Cntrl}", "?") + "\")");
        }
        return value;
    }

    static boolean isName(String value) {
        return !value.isBlank()
                && value.length() <= LONGEST_NAME
                && value.chars().noneMatch(Character::isISOControl);
    }
}
