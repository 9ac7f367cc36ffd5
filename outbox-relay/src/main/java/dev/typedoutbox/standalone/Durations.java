package dev.typedoutbox.standalone;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: 7d, 250ms, 1h30m; ISO 8601 will do as well. */
final class Durations {
    private static final Pattern PART = Pattern.compile("([0-9]{1,15})(ms|s|m|h|d)");
    private static final Pattern WHOLE = Pattern.compile("(?:[0-9]{1,15}(?:ms|s|m|h|d))+");
    private static final Map<String, ChronoUnit> UNITS = units();

    private Durations() {}

    private static Map<String, ChronoUnit> units() {
        Map<String, ChronoUnit> units = new LinkedHashMap<>();
        units.put("d", ChronoUnit.DAYS);
        units.put("h", ChronoUnit.HOURS);
        units.put("m", ChronoUnit.MINUTES);
        units.put("s", ChronoUnit.SECONDS);
        units.put("ms", ChronoUnit.MILLIS);
        return units;
    }

    /**
     * @throws IllegalArgumentException if the text is no duration
     */
    static Duration parse(String text) {
        try {
            return WHOLE.matcher(text).matches() ? sum(text) : Duration.parse(text);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("no duration", e);
        }
    }

    private static Duration sum(String text) {
        Duration sum = Duration.ZERO;
        Matcher part = PART.matcher(text);
        while (part.find()) {
            sum = sum.plus(Duration.of(Long.parseLong(part.group(1)), unit(part.group(2))));
        }
        return sum;
    }

    private static ChronoUnit unit(String name) {
        ChronoUnit unit = UNITS.get(name);
        if (unit == null) {
            throw new IllegalArgumentException(name);
        }
        return unit;
    }

    /** What {@link #parse} reads; parts of a millisecond are left out. */
    static String format(Duration duration) {
        StringBuilder text = new StringBuilder();
        Duration rest = duration;
        for (Map.Entry<String, ChronoUnit> unit : UNITS.entrySet()) {
            long number = rest.dividedBy(unit.getValue().getDuration());
            if (number > 0) {
                text.append(number).append(unit.getKey());
                rest = rest.minus(Duration.of(number, unit.getValue()));
            }
        }
        return text.isEmpty() ? "0s" : text.toString();
    }

    /** As exact as an age has to be for somebody who looks at it. */
    static String rounded(Duration age) {
        if (age.toDays() > 0) {
            return format(age.truncatedTo(ChronoUnit.HOURS));
        }
        return format(age.truncatedTo(age.toHours() > 0 ? ChronoUnit.MINUTES : ChronoUnit.SECONDS));
    }
}
