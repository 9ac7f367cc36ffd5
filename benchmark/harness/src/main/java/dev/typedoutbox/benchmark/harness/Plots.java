package dev.typedoutbox.benchmark.harness;

import dev.typedoutbox.benchmark.harness.Report.Curve;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The report as images. */
final class Plots {
    private Plots() {}

    static void write(Report report, String scenario, Path folder) throws IOException {
        Files.createDirectories(folder);
        List<Measure> measures = report.measures(scenario);
        if (!measures.isEmpty()) {
            Files.writeString(folder.resolve(scenario + ".svg"), BarChart.of(measures));
        }
        List<Curve> curves = report.curves().stream()
                .filter(curve -> curve.scenario().equals(scenario))
                .toList();
        if (!curves.isEmpty()) {
            Files.writeString(folder.resolve(scenario + "-curve.svg"), LineChart.of(curves));
        }
    }
}
