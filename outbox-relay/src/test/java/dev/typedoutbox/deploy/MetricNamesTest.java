package dev.typedoutbox.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Alert rules and dashboard against what a real registry shows. */
class MetricNamesTest {
    /** What Prometheus itself adds to each series, and one of its own. */
    private static final Set<String> LABELS_OF_PROMETHEUS = Set.of("namespace", "job", "instance");

    private static final String METRIC_OF_PROMETHEUS = "up";

    private static Scrape scrape;

    @BeforeAll
    static void run() throws SQLException {
        scrape = Scrape.ofRelayAndConsumer();
    }

    @Test
    void everyMetricThatIsReadIsRegistered() {
        assertThat(expressions())
                .hasSizeGreaterThan(40)
                .allSatisfy(expression -> assertThat(expression.metrics())
                        .isNotEmpty()
                        .allMatch(metric -> metric.equals(METRIC_OF_PROMETHEUS)
                                || scrape.metrics().contains(metric)));
    }

    @Test
    void everyLabelThatIsReadIsThere() {
        assertThat(expressions()).allSatisfy(expression -> {
            Stream<String> names = expression.groupedBy().stream()
                    .filter(label -> !LABELS_OF_PROMETHEUS.contains(label))
                    .map(label -> label + "=");
            assertThat(Stream.concat(names, expression.wantedLabels().stream()))
                    .allMatch(
                            label -> expression.metrics().stream().anyMatch(metric -> scrape.hasLabel(metric, label)));
        });
    }

    @Test
    void everyMetricThatIsRegisteredIsOnTheDashboard() {
        String dashboard = DeployFiles.text("grafana/dashboard.json");

        assertThat(scrape.metrics().stream()
                        .filter(metric -> metric.startsWith("outbox_"))
                        .map(metric -> metric.replaceFirst("_(bucket|count|sum|max)$", "")))
                .isNotEmpty()
                .allMatch(dashboard::contains);
    }

    @Test
    void thresholdsOfQuantilesAreBoundsOfTheirBuckets() {
        assertThat(scrape.bounds("outbox_batch_duration_seconds")).contains(5.0).anyMatch(bound -> bound > 5);
        assertThat(scrape.bounds("outbox_consumer_lag_seconds")).contains(60.0).anyMatch(bound -> bound > 60);
    }

    private static List<PromQl> expressions() {
        Stream<String> alerts =
                DeployFiles.rules().stream().map(rule -> rule.path("expr").asText());
        JsonNode dashboard = DeployFiles.json("grafana/dashboard.json");
        return Stream.concat(alerts, dashboard.findValuesAsText("expr").stream())
                .map(PromQl::new)
                .collect(Collectors.toList());
    }
}
