package dev.typedoutbox.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class DashboardTest {
    private static final int COLUMNS = 24;
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{?(\\w+)");

    private final JsonNode dashboard = DeployFiles.json("grafana/dashboard.json");
    private final List<JsonNode> panels =
            DeployFiles.elements(dashboard.path("panels")).toList();

    @Test
    void everyPanelReadsTheDataSourceThatWasChosen() {
        assertThat(plots())
                .allSatisfy(panel -> assertThat(panel.findValues("datasource"))
                        .isNotEmpty()
                        .allSatisfy(source ->
                                assertThat(source.path("uid").asText()).isEqualTo("${datasource}")));
    }

    @Test
    void everyVariableIsThere() {
        Set<String> known = DeployFiles.elements(dashboard.path("templating").path("list"))
                .map(variable -> variable.path("name").asText())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(known).contains("datasource", "job", "consumer");
        known.addAll(List.of("__rate_interval", "__all"));

        assertThat(VARIABLE.matcher(dashboard.toString()).results().map(found -> found.group(1)))
                .isSubsetOf(known);
    }

    @Test
    void noInstanceIsNamed() {
        assertThat(dashboard.findValuesAsText("expr")).isNotEmpty().noneMatch(expr -> expr.contains("instance="));
    }

    @Test
    void everyPanelSaysWhatItShowsAndInWhichUnit() {
        assertThat(plots()).hasSizeGreaterThan(20).allSatisfy(panel -> {
            assertThat(panel.path("title").asText()).isNotBlank();
            assertThat(panel.path("description").asText()).isNotBlank();
            if (!panel.path("type").asText().equals("state-timeline")) {
                assertThat(panel.path("fieldConfig")
                                .path("defaults")
                                .path("unit")
                                .asText())
                        .isNotBlank();
            }
        });
    }

    @Test
    void panelsHaveIdsOfTheirOwnAndDoNotOverlap() {
        Set<Integer> ids = new HashSet<>();
        Set<List<Integer>> taken = new HashSet<>();
        for (JsonNode panel : panels) {
            assertThat(ids.add(panel.path("id").asInt())).isTrue();
            JsonNode place = panel.path("gridPos");
            int left = place.path("x").asInt();
            int top = place.path("y").asInt();
            assertThat(left + place.path("w").asInt()).isLessThanOrEqualTo(COLUMNS);
            for (int x = left; x < left + place.path("w").asInt(); x++) {
                for (int y = top; y < top + place.path("h").asInt(); y++) {
                    assertThat(taken.add(List.of(x, y)))
                            .as("%s at %d, %d", panel.path("title"), x, y)
                            .isTrue();
                }
            }
        }
    }

    private List<JsonNode> plots() {
        return panels.stream()
                .filter(panel -> !panel.path("type").asText().equals("row"))
                .toList();
    }
}
