package dev.typedoutbox.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What the tools of this machine say of the files for systemd and for the shell. */
class UnitFileTest {
    @Test
    void systemdUnderstandsTheUnit() throws Exception {
        Path systemd = Path.of("/usr/bin/systemd-analyze");
        assumeTrue(
                Files.isExecutable(systemd) && Files.isExecutable(Path.of("/usr/bin/java")),
                "systemd-analyze, and a Java at /usr/bin/java, are needed");

        assertThat(run(systemd.toString(), "verify", "--man=no", file("systemd/outbox-relay.service")))
                .isEmpty();
    }

    @Test
    void shellUnderstandsTheScripts() throws Exception {
        assertThat(run("sh", "-n", file("rabbitmq/start.sh"))).isEmpty();
        assertThat(run("sh", "-n", file("postgres/roles.sh"))).isEmpty();
    }

    @Test
    void unitStopsByTheSignalThatTheRelayTakesAndEndsInGoodOrder() {
        assertThat(DeployFiles.text("systemd/outbox-relay.service").lines())
                .contains("SuccessExitStatus=143", "NoNewPrivileges=yes", "ProtectSystem=strict")
                .noneMatch(line -> line.startsWith("KillSignal"));
    }

    private static String file(String name) {
        return DeployFiles.FOLDER.resolve(name).toAbsolutePath().toString();
    }

    /** What a program has to say; it must end well. */
    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
