package dev.typedoutbox.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.jar.JarFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The jar that is run with {@code java -jar}, as it was built. */
class RunnableJarTest {
    private static final String JAR = System.getProperty("outbox.relay.jar", "");
    private static final Duration END = Duration.ofSeconds(60);

    private static final Duration ARRIVAL = Duration.ofSeconds(20);

    @BeforeAll
    static void requireJar() {
        assumeTrue(!JAR.isEmpty(), "the jar is there after the phase package: ./mvnw verify");
    }

    @Test
    void jarTellsItsVersion() {
        try (ChildProcess run = start(Map.of(), "--version")) {
            assertThat(run.awaitExit(END)).isZero();
            assertThat(run.out()).singleElement().asString().matches("outbox-relay [0-9]+[.].*");
            assertThat(run.err()).isEmpty();
        }
    }

    @Test
    void jarMigratesRelaysAndStops() {
        TestOutbox outbox = TestOutbox.withoutTables();
        TestQueue queue = TestQueue.create();
        Map<String, String> environment = new HashMap<>(outbox.environment());
        environment.putAll(queue.environment());
        try (ChildProcess migrate = start(environment, "migrate")) {
            assertThat(migrate.awaitExit(END)).as("%s", migrate.err()).isZero();
        }
        List<UUID> ids = outbox.insert(10, "order.placed");
        try (ChildProcess relay = start(environment, "relay", "--health-port", "0", "--admin-port", "0")) {
            relay.awaitLog("relay is RUNNING");
            await().atMost(ARRIVAL)
                    .untilAsserted(() -> assertThat(queue.received()).containsAll(ids));
            relay.awaitLog("admin page is up");
            relay.terminate();
            assertThat(relay.awaitExit(END)).isZero();
            assertThat(relay.err()).noneMatch(line -> line.contains("WARN") || line.contains("ERROR"));
        }
    }

    /** As the image makes it, and docs/relay.md tells. */
    @Test
    void archiveOfClassesIsMadeByARelayThatFindsNoServersAndIsUsed(@TempDir Path folder) {
        Path archive = folder.resolve("outbox-relay.jsa");
        Map<String, String> nowhere = Map.of(
                "OUTBOX_JDBC_URL", "jdbc:postgresql://127.0.0.1:1/none",
                "OUTBOX_AMQP_URI", "amqp://127.0.0.1:1",
                "OUTBOX_EXCHANGE", "none");
        try (ChildProcess relay =
                ChildProcess.ofJar(Path.of(JAR), nowhere, List.of("-XX:ArchiveClassesAtExit=" + archive), "relay")) {
            relay.awaitLog("relay is WAITING_FOR_BROKER");
            relay.terminate();
            assertThat(relay.awaitExit(END)).isZero();
        }
        List<String> options = List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:class+load");
        try (ChildProcess run = ChildProcess.ofJar(Path.of(JAR), Map.of(), options, "--version")) {
            assertThat(run.awaitExit(END)).isZero();
            assertThat(run.out())
                    .anyMatch(line -> line.endsWith(Commands.class.getName() + " source: shared objects file (top)"));
        }
    }

    @Test
    void jarHoldsNoSignaturesOfOtherJars() throws IOException {
        try (JarFile jar = new JarFile(JAR)) {
            assertThat(jar.stream().map(entry -> entry.getName()))
                    .noneMatch(name -> name.matches("META-INF/[^/]+[.](SF|DSA|RSA|EC)"))
                    .doesNotContain("module-info.class");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "META-INF/services/org.flywaydb.core.extensibility.Plugin, org.flywaydb.database.postgresql.PostgreSQLDatabaseType",
        "META-INF/services/java.sql.Driver, org.postgresql.Driver",
        "META-INF/services/org.slf4j.spi.SLF4JServiceProvider, ch.qos.logback.classic.spi.LogbackServiceProvider",
        "META-INF/LICENSE, Apache License",
        "META-INF/NOTICE, Jackson"
    })
    void jarHoldsWhatItsPartsNeed(String entry, String text) throws IOException {
        try (JarFile jar = new JarFile(JAR)) {
            assertThat(new String(jar.getInputStream(jar.getEntry(entry)).readAllBytes(), StandardCharsets.UTF_8))
                    .contains(text);
        }
    }

    private static ChildProcess start(Map<String, String> environment, String... args) {
        return ChildProcess.ofJar(Path.of(JAR), environment, List.of(), args);
    }
}
