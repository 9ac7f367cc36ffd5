package dev.typedoutbox.metrics;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What Prometheus would see now. */
final class Scrape {
    private final Map<String, Double> series = new TreeMap<>();

    private Scrape(String text) {
        text.lines().filter(line -> !line.startsWith("#") && !line.isBlank()).forEach(line -> {
            int end = line.lastIndexOf(' ');
            series.put(line.substring(0, end), Double.parseDouble(line.substring(end + 1)));
        });
    }

    static Scrape of(PrometheusMeterRegistry registry) {
        return new Scrape(registry.scrape());
    }

    static double value(PrometheusMeterRegistry registry, String name) {
        return of(registry).value(name);
    }

    /** Named with its labels, as Prometheus writes them. */
    double value(String name) {
        Double value = series.get(name);
        if (value == null) {
            throw new NoSuchElementException(name + " is not among " + series.keySet());
        }
        return value;
    }

    /** Without labels. */
    Set<String> names() {
        return series.keySet().stream()
                .map(name -> name.replaceFirst("\\{.*", ""))
                .collect(Collectors.toSet());
    }
}
