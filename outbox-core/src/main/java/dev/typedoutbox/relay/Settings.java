package dev.typedoutbox.relay;

import java.time.Duration;
import java.util.Objects;

/** The rules that settings share, and their wording. */
final class Settings {
    private static final Duration SHORTEST = Duration.ofMillis(1);

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
}
