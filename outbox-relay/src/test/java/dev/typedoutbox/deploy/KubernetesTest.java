package dev.typedoutbox.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KubernetesTest {
    private final List<JsonNode> relay = DeployFiles.yaml("kubernetes/outbox-relay.yaml");
    private final JsonNode deployment = document("Deployment").path("spec");
    private final JsonNode template = deployment.path("template");
    private final JsonNode migration = DeployFiles.yaml("kubernetes/outbox-migrate.yaml")
            .get(0)
            .path("spec")
            .path("template");

    private JsonNode document(String kind) {
        return relay.stream()
                .filter(document -> document.path("kind").asText().equals(kind))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void severalRelaysAreThereAndOneCanBeMissed() {
        assertThat(deployment.path("replicas").asInt()).isGreaterThan(1);
        assertThat(document("PodDisruptionBudget")
                        .path("spec")
                        .path("maxUnavailable")
                        .asInt())
                .isPositive();
    }

    @Test
    void everythingFindsThePodsByTheirLabels() {
        JsonNode labels = template.path("metadata").path("labels");
        assertThat(labels).isNotEmpty();
        assertThat(deployment.path("selector").path("matchLabels")).isEqualTo(labels);
        assertThat(document("PodDisruptionBudget").path("spec").path("selector").path("matchLabels"))
                .isEqualTo(labels);
        assertThat(document("Service").path("spec").path("selector")).isEqualTo(labels);
    }

    @Test
    void onlyAProcessThatNoLongerAnswersIsRestarted() {
        JsonNode container = container(template);
        assertThat(path(container, "startupProbe")).isEqualTo("/health/live");
        assertThat(path(container, "livenessProbe")).isEqualTo("/health/live");
        assertThat(path(container, "readinessProbe")).isEqualTo("/health/ready");
        JsonNode liveness = container.path("livenessProbe");
        assertThat(liveness.path("periodSeconds").asInt()
                        * liveness.path("failureThreshold").asInt())
                .isGreaterThanOrEqualTo(30);
    }

    @Test
    void aRelayThatIsNotReadyIsScrapedAllTheSame() {
        assertThat(document("Service")
                        .path("spec")
                        .path("publishNotReadyAddresses")
                        .asBoolean())
                .isTrue();
        assertThat(template.path("metadata")
                        .path("annotations")
                        .path("prometheus.io/port")
                        .asText())
                .isEqualTo(document("ConfigMap")
                        .path("data")
                        .path("OUTBOX_HEALTH_PORT")
                        .asText());
    }

    @Test
    void containersHaveNoRightsThatTheyDoNotNeed() {
        assertThat(Stream.of(template, migration)).allSatisfy(pod -> {
            assertThat(pod.path("spec").path("automountServiceAccountToken").asBoolean(true))
                    .isFalse();
            assertThat(pod.path("spec")
                            .path("securityContext")
                            .path("runAsNonRoot")
                            .asBoolean())
                    .isTrue();
            JsonNode security = container(pod).path("securityContext");
            assertThat(security.path("readOnlyRootFilesystem").asBoolean()).isTrue();
            assertThat(security.path("allowPrivilegeEscalation").asBoolean(true))
                    .isFalse();
            assertThat(security.path("capabilities").path("drop").toString()).isEqualTo("[\"ALL\"]");
            assertThat(container(pod)
                            .path("resources")
                            .path("limits")
                            .path("memory")
                            .asText())
                    .isNotBlank();
        });
    }

    @Test
    void passwordsAreFilesOfASecretThatIsMounted() {
        JsonNode settings = document("ConfigMap").path("data");
        String folder = container(template)
                .path("volumeMounts")
                .get(0)
                .path("mountPath")
                .asText();
        settings.properties().forEach(setting -> {
            assertThat(setting.getKey()).doesNotMatch(".*(PASSWORD|TOKEN)");
            if (setting.getKey().endsWith("_FILE")) {
                assertThat(setting.getValue().asText()).startsWith(folder + "/");
            }
        });
        assertThat(template.path("spec")
                        .path("volumes")
                        .get(0)
                        .path("secret")
                        .path("secretName")
                        .asText())
                .isEqualTo("outbox-relay");
    }

    private static JsonNode container(JsonNode pod) {
        return pod.path("spec").path("containers").get(0);
    }

    private static String path(JsonNode container, String probe) {
        return container.path(probe).path("httpGet").path("path").asText();
    }
}
