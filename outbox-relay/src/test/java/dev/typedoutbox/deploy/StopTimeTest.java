package dev.typedoutbox.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.typedoutbox.relay.RelayConfig;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Whoever stops a relay must give it the time that it may take, or its last batch is sent again by another. */
class StopTimeTest {
    /** After that the command relay ends its process. */
    private static final Duration LONGEST_STOP =
            RelayConfig.defaults().closeTimeout().plusSeconds(30);

    @Test
    void composeWaitsLongEnough() {
        JsonNode relay =
                DeployFiles.yaml("compose.yaml").get(0).path("services").path("relay");

        assertThat(seconds(relay.path("stop_grace_period").asText())).isGreaterThan(LONGEST_STOP);
    }

    @Test
    void kubernetesWaitsLongEnough() {
        JsonNode pod = DeployFiles.yaml("kubernetes/outbox-relay.yaml").stream()
                .filter(document -> document.path("kind").asText().equals("Deployment"))
                .findFirst()
                .orElseThrow()
                .path("spec")
                .path("template")
                .path("spec");

        assertThat(Duration.ofSeconds(pod.path("terminationGracePeriodSeconds").asLong()))
                .isGreaterThan(LONGEST_STOP);
    }

    @Test
    void systemdWaitsLongEnough() {
        Matcher timeout =
                Pattern.compile("(?m)^TimeoutStopSec=(.*)$").matcher(DeployFiles.text("systemd/outbox-relay.service"));

        assertThat(timeout.find()).isTrue();
        assertThat(seconds(timeout.group(1))).isGreaterThan(LONGEST_STOP);
    }

    private static Duration seconds(String text) {
        return Duration.parse("PT" + text);
    }
}
