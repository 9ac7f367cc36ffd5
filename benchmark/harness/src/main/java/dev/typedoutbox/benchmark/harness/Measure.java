package dev.typedoutbox.benchmark.harness;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;

/**
 * The values of a figure, one for each round.
 *
 * @param scenario the scenario
 * @param setting the case of the scenario
 * @param subject who was measured
 * @param figure what was measured
 * @param values in the order of the rounds
 */
record Measure(String scenario, String setting, String subject, Figure figure, List<Double> values) {
    Measure(String scenario, String setting, String subject, Figure figure) {
        this(scenario, setting, subject, figure, new ArrayList<>());
    }

    boolean isOf(String otherScenario, String otherSetting, String otherSubject, Figure otherFigure) {
        return scenario.equals(otherScenario)
                && setting.equals(otherSetting)
                && subject.equals(otherSubject)
                && figure.equals(otherFigure);
    }

    @JsonProperty
    double median() {
        return Statistics.median(values);
    }

    @JsonProperty
    double least() {
        return values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    }

    @JsonProperty
    double most() {
        return values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }

    /**
     * How this stands to another: the median of the rounds' ratios, because the machine's own speed moves between rounds;
     * where the rounds do not match, the ratio of the medians.
     */
    double ratioTo(Measure other) {
        if (values.size() != other.values.size()) {
            return median() / other.median();
        }
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            ratios.add(values.get(i) / other.values.get(i));
        }
        return Statistics.median(ratios);
    }
}
