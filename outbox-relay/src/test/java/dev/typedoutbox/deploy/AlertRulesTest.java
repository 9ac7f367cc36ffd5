package dev.typedoutbox.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class AlertRulesTest {
    private static final String RUNBOOK = "docs/operations.md";

    @Test
    void everyRuleTellsHowBadItIsWhatItMeansAndWhereToReadOn() {
        assertThat(DeployFiles.rules()).hasSizeGreaterThan(10).allSatisfy(rule -> {
            assertThat(rule.path("labels").path("severity").asText()).isIn("warning", "critical");
            assertThat(rule.path("annotations").path("summary").asText()).isNotBlank();
            assertThat(rule.path("annotations").path("description").asText()).isNotBlank();
            assertThat(rule.path("annotations").path("runbook_url").asText())
                    .isEqualTo(RUNBOOK + "#" + name(rule).toLowerCase(Locale.ROOT));
        });
    }

    @Test
    void everyRuleHasItsSectionInTheDocumentationAndNoSectionIsWithoutItsRule() throws IOException {
        List<String> sections = Files.readAllLines(Path.of("..", RUNBOOK)).stream()
                .filter(line -> line.startsWith("### Outbox"))
                .map(line -> line.substring("### ".length()))
                .toList();

        assertThat(sections)
                .containsExactlyElementsOf(
                        DeployFiles.rules().stream().map(AlertRulesTest::name).toList());
    }

    @Test
    void everyRuleIsTestedToFireAndNotToFire() {
        Map<String, List<Boolean>> expected = DeployFiles.elements(
                        DeployFiles.yaml("prometheus/alerts.test.yml").get(0).path("tests"))
                .flatMap(test -> DeployFiles.elements(test.path("alert_rule_test")))
                .collect(Collectors.groupingBy(
                        test -> test.path("alertname").asText(),
                        Collectors.mapping(test -> !test.path("exp_alerts").isEmpty(), Collectors.toList())));

        assertThat(expected.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        DeployFiles.rules().stream().map(AlertRulesTest::name).toList());
        assertThat(expected.values()).allSatisfy(fires -> assertThat(fires).contains(true, false));
    }

    private static String name(JsonNode rule) {
        return rule.path("alert").asText();
    }
}
