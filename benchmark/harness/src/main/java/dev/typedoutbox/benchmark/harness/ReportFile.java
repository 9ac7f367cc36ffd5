package dev.typedoutbox.benchmark.harness;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The report as JSON. */
final class ReportFile {
    private ReportFile() {}

    static void write(Report report, List<Bar> bars, Path file) throws IOException {
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("circumstances", report.circumstances());
        content.put("measures", report.measures());
        content.put("curves", report.curves());
        content.put("bars", bars);
        content.put("failures", report.failures());
        Files.createDirectories(file.toAbsolutePath().getParent());
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), content);
    }

    static List<String> failures(Report report) {
        return report.failures().stream()
                .map(failure -> failure.scenario() + ", " + failure.subject() + ": " + failure.reason())
                .toList();
    }
}
