package dev.typedoutbox.benchmark.harness;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All that was measured in a run. */
final class Report {
    /**
     * What could not be measured.
     *
     * @param scenario the scenario
     * @param subject who failed
     * @param reason why
     */
    record Failure(String scenario, String subject, String reason) {}

    /**
     * A curve.
     *
     * @param scenario the scenario
     * @param setting the case of the scenario
     * @param subject who was measured
     * @param points pairs of x and y
     */
    record Curve(String scenario, String setting, String subject, List<double[]> points) {}

    private final Map<String, String> circumstances = new LinkedHashMap<>();
    private final List<Measure> measures = new ArrayList<>();
    private final List<Curve> curves = new ArrayList<>();
    private final List<Failure> failures = new ArrayList<>();

    void circumstance(String name, String value) {
        circumstances.put(name, value);
    }

    void add(String scenario, String setting, String subject, Figure figure, double value) {
        Measure measure = find(scenario, setting, subject, figure).orElseGet(() -> {
            Measure added = new Measure(scenario, setting, subject, figure);
            measures.add(added);
            return added;
        });
        measure.values().add(value);
    }

    /** What a drain took of the processors, as far as it is known. */
    void addCosts(String scenario, String setting, String subject, Drain drain) {
        drain.costs().stream()
                .filter(cost -> cost.micros() > 0)
                .forEach(cost -> add(scenario, setting, subject, Figure.processors(cost.part()), cost.micros()));
    }

    void add(Curve curve) {
        curves.add(curve);
    }

    void add(Failure failure) {
        failures.add(failure);
    }

    Optional<Measure> find(String scenario, String setting, String subject, Figure figure) {
        return measures.stream()
                .filter(measure -> measure.isOf(scenario, setting, subject, figure))
                .findFirst();
    }

    /** What was measured of a subject first: scenarios begin with the case that all contenders share. */
    Optional<Measure> first(String scenario, String subject, Figure figure) {
        return measures.stream()
                .filter(measure -> measure.isOf(scenario, measure.setting(), subject, figure))
                .findFirst();
    }

    List<Measure> measures(String scenario) {
        return measures.stream()
                .filter(measure -> measure.scenario().equals(scenario))
                .toList();
    }

    Map<String, String> circumstances() {
        return circumstances;
    }

    List<Measure> measures() {
        return measures;
    }

    List<Curve> curves() {
        return curves;
    }

    List<Failure> failures() {
        return failures;
    }
}
