package dev.typedoutbox.benchmark.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** The measures of a scenario as text: a table for each case, a line for each contender and figure. */
final class Table {

    private Table() {}

    static String of(String scenario, List<Measure> measures) {
        StringBuilder text = new StringBuilder();
        for (String setting : settings(measures)) {
            text.append(String.format(Locale.ROOT, "%n%s: %s%n", scenario, setting));
            text.append(row("", "", "median", "least", "most", "rounds"));
            measures.stream()
                    .filter(measure -> measure.setting().equals(setting))
                    .map(Table::line)
                    .forEach(text::append);
        }
        return text.toString();
    }

    private static List<String> settings(List<Measure> measures) {
        return new ArrayList<>(
                measures.stream().map(Measure::setting).distinct().toList());
    }

    private static String line(Measure measure) {
        Figure figure = measure.figure();
        String what = Objects.equals(figure, Figure.RATE) ? figure.unit() : figure.name() + " " + figure.unit();
        return row(
                measure.subject(),
                what.trim(),
                number(measure.median(), figure),
                number(measure.least(), figure),
                number(measure.most(), figure),
                Integer.toString(measure.values().size()));
    }

    private static String row(String... cells) {
        return String.format(Locale.ROOT, "%-46s %-28s %12s %12s %12s %8s%n", (Object[]) cells);
    }

    private static String number(double value, Figure figure) {
        return String.format(Locale.ROOT, "%,." + figure.decimals() + "f", value);
    }
}
