package dev.typedoutbox.benchmark.harness;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A bound that a figure has to keep.
 *
 * @param name what is compared
 * @param bound the bound
 * @param atLeast whether the figure must not be less, or else not more
 * @param value the figure, or null where it was not measured
 */
record Bar(
        String name,
        double bound,
        boolean atLeast,
        @Nullable Double value) {
    @JsonProperty
    boolean holds() {
        return value != null && (atLeast ? value >= bound : value <= bound);
    }

    String line() {
        String verdict = value == null ? "not measured" : holds() ? "holds" : "DOES NOT HOLD";
        String shown = value == null ? "-" : String.format(Locale.ROOT, "%.3f", value);
        return String.format(
                Locale.ROOT,
                "%-64s %9s   %-8s %7.2f   %s",
                name,
                shown,
                atLeast ? "at least" : "at most",
                bound,
                verdict);
    }
}
