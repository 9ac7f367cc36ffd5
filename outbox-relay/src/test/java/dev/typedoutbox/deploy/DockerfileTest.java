package dev.typedoutbox.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DockerfileTest {
    private final String dockerfile = DeployFiles.text("docker/Dockerfile");

    @Test
    void processIsTheJvmItselfAndNotRoot() {
        assertThat(dockerfile.lines())
                .contains("USER 10001:10001", "STOPSIGNAL SIGTERM", "CMD [\"relay\"]")
                .anyMatch(line ->
                        line.matches("ENTRYPOINT \\[\"java\", .*\"-jar\", \"/opt/outbox-relay/outbox-relay.jar\"]"));
    }

    @Test
    void archiveOfClassesThatTheImageMakesIsTheOneThatItUses() {
        assertThat(dockerfile)
                .containsPattern("(?m)^RUN .*-XX:ArchiveClassesAtExit=/opt/outbox-relay/outbox-relay.jsa \\\\$")
                .containsPattern("(?m)^ENTRYPOINT .*\"-XX:SharedArchiveFile=/opt/outbox-relay/outbox-relay.jsa\"");
    }

    @Test
    void healthIsAskedOfThePortThatIsSet() {
        assertThat(dockerfile)
                .contains("http://127.0.0.1:${OUTBOX_HEALTH_PORT}/health/live")
                .containsPattern("(?m)^ENV OUTBOX_HEALTH_ADDRESS=0\\.0\\.0\\.0 \\\\\n +OUTBOX_HEALTH_PORT=8080$")
                .contains("EXPOSE 8080");
    }

    @Test
    void nothingButTheJarGoesToTheBuild() {
        assertThat(DeployFiles.text("docker/Dockerfile.dockerignore").lines())
                .contains("*", "!outbox-relay/target/outbox-relay.jar");
        assertThat(dockerfile).contains("COPY --chmod=0444 outbox-relay/target/outbox-relay.jar");
    }
}
