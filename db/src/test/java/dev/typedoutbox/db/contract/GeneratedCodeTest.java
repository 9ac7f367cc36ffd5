package dev.typedoutbox.db.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.typedoutbox.db.generated.Public;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GeneratedCodeTest {
    private static final Path SOURCES = Path.of("target/generated-sources/jooq");

    @Test
    void onlyOurTablesAreGenerated() throws Exception {
        assertThat(classFiles())
                .isNotEmpty()
                .allMatch(name -> name.matches(
                        "(OutboxEvents|OutboxDeadLetters|ProcessedEvents)(Record)?|DefaultCatalog|Public|Tables|Keys"
                                + "|Indexes(\\$Indexes\\d*)?"));
    }

    @Test
    void generatedCodeIsTheSameInEveryBuild() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            List<Path> sources = files.filter(Files::isRegularFile).toList();
            assertThat(sources)
                    .isNotEmpty()
                    .allSatisfy(source -> assertThat(source)
                            .content()
                            .doesNotContain("@Generated", "date =")
                            .doesNotContainPattern("\\b20\\d\\d-\\d\\d-\\d\\d"));
        }
    }

    private static List<String> classFiles() throws IOException, URISyntaxException {
        Path classes = Path.of(
                Public.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        try (Stream<Path> files = Files.walk(classes.resolve("dev/typedoutbox/db/generated"))) {
            return files.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString().replaceAll("\\.class$", ""))
                    .toList();
        }
    }
}
