package dev.typedoutbox.benchmark.harness;

import dev.typedoutbox.benchmark.harness.Report.Curve;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Curves over the number of events that were moved, from zero. */
final class LineChart {
    private static final int WIDTH = 860;
    private static final int HEIGHT = 340;
    private static final int LEFT = 80;
    private static final int TOP = 40;
    private static final int RIGHT = 40;
    private static final int BOTTOM = 40;
    private static final int STEPS = 4;
    private static final String GRID = "#dddddd";
    private static final List<String> COLORS = List.of("#1f6f8b", "#c8553d", "#6a994e", "#8d6a9f", "#999999");

    private final Svg svg = new Svg(WIDTH);
    private final List<Curve> curves;
    private final double mostX;
    private final double mostY;

    private LineChart(List<Curve> curves) {
        this.curves = curves;
        this.mostX = most(0);
        this.mostY = most(1);
    }

    static String of(List<Curve> curves) {
        return new LineChart(curves).draw();
    }

    private String draw() {
        svg.title(12, 20, curves.get(0).setting());
        for (int step = 0; step <= STEPS; step++) {
            double value = mostY * step / STEPS;
            svg.line(LEFT, y(value), WIDTH - RIGHT, y(value), GRID);
            svg.text(LEFT - 8, y(value) + 4, "end", number(value));
            svg.text(x(mostX * step / STEPS), HEIGHT - BOTTOM + 18, "middle", number(mostX * step / STEPS));
        }
        List<String> subjects = curves.stream().map(Curve::subject).distinct().toList();
        for (Curve curve : curves) {
            svg.curve(points(curve), color(subjects, curve.subject()));
        }
        for (int i = 0; i < subjects.size(); i++) {
            svg.box(LEFT + i * 170.0, TOP - 12, 10, 10, color(subjects, subjects.get(i)));
            svg.text(LEFT + i * 170.0 + 16, TOP - 3, "start", subjects.get(i));
        }
        return svg.document(HEIGHT);
    }

    private String points(Curve curve) {
        return curve.points().stream()
                .map(point -> String.format(Locale.ROOT, "%.1f,%.1f", x(point[0]), y(point[1])))
                .collect(Collectors.joining(" "));
    }

    private double x(double value) {
        return LEFT + value / mostX * (WIDTH - LEFT - RIGHT);
    }

    private double y(double value) {
        return HEIGHT - BOTTOM - value / mostY * (HEIGHT - TOP - BOTTOM);
    }

    private double most(int coordinate) {
        return curves.stream()
                .flatMap(curve -> curve.points().stream())
                .mapToDouble(point -> point[coordinate])
                .max()
                .orElse(1);
    }

    private static String color(List<String> subjects, String subject) {
        return COLORS.get(subjects.indexOf(subject) % COLORS.size());
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }
}
