package dev.typedoutbox.benchmark.harness;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/**
 * A bound that a figure has to keep.
 *
 * @param name what is compared
 * @param bound the bound
 * @param atLeast whether the figure must not be less, or else not more
 * @param value the figure
 */
record Bar(String name, double bound, boolean atLeast, double value) {
    @JsonProperty
    boolean holds() {
        return atLeast ? value >= bound : value <= bound;
    }

    String line() {
        return String.format(
                Locale.ROOT,
                "%-64s %9.3f   %-8s %7.2f   %s",
                name,
                value,
                atLeast ? "at least" : "at most",
                bound,
                holds() ? "holds" : "DOES NOT HOLD");
    }
}
