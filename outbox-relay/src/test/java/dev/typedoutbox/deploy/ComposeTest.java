package dev.typedoutbox.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ComposeTest {
    private static final String SECRETS = "/run/secrets/";

    private final JsonNode compose = DeployFiles.yaml("compose.yaml").get(0);
    private final Map<String, JsonNode> services = services();

    private Map<String, JsonNode> services() {
        Map<String, JsonNode> services = new TreeMap<>();
        compose.path("services").properties().forEach(entry -> services.put(entry.getKey(), entry.getValue()));
        return services;
    }

    @Test
    void allPartsAreThere() {
        assertThat(services)
                .containsOnlyKeys("postgres", "rabbitmq", "migrate", "roles", "relay", "prometheus", "grafana");
    }

    @Test
    void imagesOfOthersArePinnedToAVersion() {
        assertThat(services.values())
                .extracting(service -> service.path("image").asText())
                .allMatch(image -> image.equals("typed-outbox-relay") || image.matches("[a-z/]+:v?\\d+(\\.\\d+)+\\S*"));
    }

    @Test
    void portsAreReachedFromThisMachineAlone() {
        assertThat(services.values())
                .flatExtracting(service -> texts(service.path("ports")))
                .isNotEmpty()
                .allMatch(port -> port.startsWith("127.0.0.1:"));
    }

    @Test
    void passwordsComeFromSecretsThatTheServiceIsGiven() {
        assertThat(services.values()).allSatisfy(service -> {
            List<String> given = texts(service.path("secrets"));
            service.path("environment").properties().forEach(variable -> {
                assertThat(variable.getKey()).doesNotMatch(".*(PASSWORD|TOKEN)");
                String value = variable.getValue().asText();
                if (variable.getKey().endsWith("_FILE")) {
                    assertThat(value).startsWith(SECRETS);
                    assertThat(given).contains(value.substring(SECRETS.length()));
                }
            });
        });
    }

    @Test
    void everySecretIsDefinedAndMadeByTheCommandAbove() {
        String comment = DeployFiles.text("compose.yaml");
        assertThat(services.values())
                .flatExtracting(service -> texts(service.path("secrets")))
                .isNotEmpty()
                .allSatisfy(secret -> {
                    assertThat(compose.path("secrets").path(secret).path("file").asText())
                            .isEqualTo("secrets/" + secret);
                    assertThat(comment).containsPattern("for name in [a-z ]*\\b" + secret + "\\b");
                });
    }

    @Test
    void everyFileThatIsMountedIsThere() {
        assertThat(services.values())
                .flatExtracting(service -> texts(service.path("volumes")))
                .filteredOn(volume -> volume.startsWith("./"))
                .isNotEmpty()
                .allSatisfy(volume -> assertThat(DeployFiles.FOLDER.resolve(volume.replaceFirst(":.*", "")))
                        .exists());
    }

    private static List<String> texts(JsonNode array) {
        return DeployFiles.elements(array).map(JsonNode::asText).toList();
    }
}
