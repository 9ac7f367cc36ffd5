package dev.typedoutbox.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What Prometheus's own tool says of the rules. {@value #VARIABLE}{@code =required} turns skipping into a failure. */
class PromtoolTest {
    private static final String VARIABLE = "OUTBOX_TEST_PROMTOOL";
    private static final String HOW_TO_GET_PROMTOOL =
            "install the package prometheus, or put promtool from a release of Prometheus on the path";

    @Test
    void rulesAreValid() throws Exception {
        promtool("check", "rules", "alerts.yml");
    }

    @Test
    void everyRuleFiresWhenItShouldAndOnlyThen() throws Exception {
        promtool("test", "rules", "alerts.test.yml");
    }

    @Test
    void configurationIsValid() throws Exception {
        promtool("check", "config", "prometheus.yml");
    }

    private static void promtool(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(executable().toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(DeployFiles.FOLDER.resolve("prometheus").toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
    }

    private static Path executable() {
        Optional<Path> found = Pattern.compile(Pattern.quote(File.pathSeparator))
                .splitAsStream(System.getenv("PATH"))
                .map(folder -> Path.of(folder, "promtool"))
                .filter(Files::isExecutable)
                .findFirst();
        boolean required = "required".equals(System.getenv(VARIABLE));
        assertThat(found.isPresent() || !required)
                .as("%s is required, but there is no promtool: %s", VARIABLE, HOW_TO_GET_PROMTOOL)
                .isTrue();
        assumeTrue(found.isPresent(), HOW_TO_GET_PROMTOOL);
        return found.orElseThrow();
    }
}
