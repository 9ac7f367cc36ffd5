package dev.typedoutbox.benchmark.harness;

import java.util.Locale;

/** An image, written element by element. Text stays text: libraries draw each letter, and the file is fifty times as large. */
final class Svg {
    private final StringBuilder elements = new StringBuilder();
    private final int width;

    Svg(int width) {
        this.width = width;
    }

    void box(double x, double y, double boxWidth, double boxHeight, String color) {
        add(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>",
                x, y, boxWidth, boxHeight, color);
    }

    void line(double x1, double y1, double x2, double y2, String color) {
        add("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>", x1, y1, x2, y2, color);
    }

    void curve(String points, String color) {
        add("<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>", points, color);
    }

    /** The anchor is {@code start}, {@code middle} or {@code end}. */
    void text(double x, double y, String anchor, String text) {
        add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>", x, y, anchor, escaped(text));
    }

    void title(double x, double y, String text) {
        add("<text x=\"%.1f\" y=\"%.1f\" font-weight=\"bold\">%s</text>", x, y, escaped(text));
    }

    /** The whole file. */
    String document(double height) {
        return String.format(
                        Locale.ROOT,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" font-family=\"sans-serif\""
                                + " font-size=\"12\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
                        width,
                        height)
                + elements
                + "</svg>\n";
    }

    private void add(String format, Object... arguments) {
        elements.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
