package dev.typedoutbox.benchmark.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The medians of a scenario: a panel for each case and figure, a bar for each contender, and a line from least to most. */
final class BarChart {
    private static final int WIDTH = 860;
    private static final int LEFT = 290;
    private static final int RIGHT = 90;
    private static final int ROW = 22;
    private static final int HEAD = 34;
    private static final String OWN = "#1f6f8b";
    private static final String OTHER = "#b3b3b3";
    private static final String RANGE = "#333333";

    private record Panel(String setting, Figure figure) {}

    private BarChart() {}

    static String of(List<Measure> measures) {
        Svg svg = new Svg(WIDTH);
        double y = 0;
        for (Panel panel : panels(measures)) {
            List<Measure> rows = measures.stream()
                    .filter(measure -> panel.equals(new Panel(measure.setting(), measure.figure())))
                    .toList();
            draw(svg, panel, rows, y);
            y += HEAD + rows.size() * ROW + 10;
        }
        return svg.document(y);
    }

    private static List<Panel> panels(List<Measure> measures) {
        return new ArrayList<>(measures.stream()
                .map(measure -> new Panel(measure.setting(), measure.figure()))
                .distinct()
                .toList());
    }

    private static void draw(Svg svg, Panel panel, List<Measure> rows, double top) {
        Figure figure = panel.figure();
        svg.title(12, top + 20, panel.setting() + ": " + (figure.name() + " " + figure.unit()).trim());
        double most = rows.stream().mapToDouble(Measure::most).max().orElse(1);
        double scale = most > 0 ? (WIDTH - LEFT - RIGHT) / most : 0;
        double y = top + HEAD;
        for (Measure row : rows) {
            svg.text(LEFT - 8, y + 12, "end", row.subject());
            String color = row.subject().startsWith("typed-outbox") ? OWN : OTHER;
            svg.box(LEFT, y, Math.max(0, row.median() * scale), ROW - 6, color);
            double middle = y + (ROW - 6) / 2.0;
            svg.line(LEFT + row.least() * scale, middle, LEFT + row.most() * scale, middle, RANGE);
            String value = String.format(Locale.ROOT, "%,." + figure.decimals() + "f", row.median());
            svg.text(LEFT + row.most() * scale + 6, y + 12, "start", value);
            y += ROW;
        }
    }
}
