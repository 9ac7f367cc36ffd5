package dev.typedoutbox.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class DockerEngineTest {

    @Test
    void hostWithoutEngineDoesNotAnswer() {
        Map<String, String> environment = Map.of("DOCKER_HOST", "unix:///no/such/docker.sock");

        assertThat(DockerEngine.answers(environment::get)).isFalse();
    }
}
