package dev.typedoutbox.standalone;

import dev.typedoutbox.db.OutboxSchema;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a setting's text has to be.
 *
 * @param label what help shows in its place
 * @param rule how an error goes on after "must be"
 * @param parser makes a value of it; throws {@link IllegalArgumentException} if it breaks the rule
 */
record Kind(String label, String rule, Function<String, Object> parser) {
    private static final String ONE_LINE = "one line, not blank";
    private static final String TRUE_OR_FALSE = "true|false";
    private static final Pattern WHOLE = Pattern.compile("[0-9]{1,18}");
    private static final Pattern BYTES = Pattern.compile("([0-9]{1,15})(|KiB|MiB|GiB)");
    private static final List<String> BYTE_UNITS = List.of("", "KiB", "MiB", "GiB");

    static Kind text(String label) {
        return new Kind(label, ONE_LINE, text -> {
            require(isOneLine(text));
            return text;
        });
    }

    /** What else its name must be is the library's rule, and told in its words. */
    static Kind schema() {
        return new Kind("NAME", ONE_LINE, text -> {
            require(isOneLine(text));
            return OutboxSchema.requireName(text);
        });
    }

    static Kind whole(long least, long most) {
        return new Kind("NUMBER", "a whole number from " + least + " to " + most, text -> {
            require(WHOLE.matcher(text).matches());
            long number = Long.parseLong(text);
            require(number >= least && number <= most);
            return number;
        });
    }

    /** Bytes, as a number or in KiB, MiB or GiB. */
    static Kind bytes(long most) {
        return new Kind("BYTES", "bytes, such as 8388608 or 8MiB, from 1 to " + most, text -> {
            long number = bytes(text);
            require(number >= 1 && number <= most);
            return number;
        });
    }

    static Kind duration(Duration least, Duration most) {
        String rule = "a duration, such as 250ms, 30s or 7d, from " + Durations.format(least) + " to "
                + Durations.format(most);
        return new Kind("DURATION", rule, text -> {
            Duration duration = Durations.parse(text);
            require(duration.compareTo(least) >= 0 && duration.compareTo(most) <= 0);
            return duration;
        });
    }

    static Kind flag() {
        return new Kind(TRUE_OR_FALSE, "true or false", text -> {
            require(text.equals("true") || text.equals("false"));
            return text.equals("true");
        });
    }

    static Kind oneOf(String... choices) {
        List<String> all = List.of(choices);
        return new Kind(String.join("|", all), "one of " + String.join(", ", all), text -> {
            String choice = text.toLowerCase(Locale.ROOT);
            require(all.contains(choice));
            return choice;
        });
    }

    boolean isFlag() {
        return label.equals(TRUE_OR_FALSE);
    }

    private static boolean isOneLine(String text) {
        return !text.isBlank() && text.chars().noneMatch(Character::isISOControl);
    }

    private static long bytes(String text) {
        Matcher parts = BYTES.matcher(text);
        require(parts.matches());
        long number = Long.parseLong(parts.group(1));
        for (int i = BYTE_UNITS.indexOf(parts.group(2)); i > 0; i--) {
            number = Math.multiplyExact(number, 1024L);
        }
        return number;
    }

    private static void require(boolean right) {
        if (!right) {
            throw new IllegalArgumentException("breaks the rule");
        }
    }
}
