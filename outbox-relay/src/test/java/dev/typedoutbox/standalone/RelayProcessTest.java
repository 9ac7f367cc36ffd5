package dev.typedoutbox.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The relay as a process: rows that were written by SQL arrive, and signals end it as they should. */
class RelayProcessTest {
    private static final Duration ARRIVAL = Duration.ofSeconds(20);
    private static final Duration STOP = Duration.ofSeconds(15);
    private static final Pattern PORT = Pattern.compile("health and metrics are served.*:([0-9]+)");

    private final TestOutbox outbox = TestOutbox.create();
    private final TestQueue queue = TestQueue.create();

    @Test
    void sigtermEndsItInTimeAndNothingIsLostOrMarkedUnsent() {
        try (ChildProcess relay = ChildProcess.start(environment(), "relay", "--batch-size", "10")) {
            relay.awaitLog("relay is RUNNING");
            outbox.insert(5_000, "order.placed");
            await().until(() -> outbox.count("processed_at is not null") > 100);
            relay.terminate();

            assertThat(relay.awaitExit(STOP)).isZero();
            assertThat(relay.err()).last().asString().contains("relay process has stopped");
        }
        assertThat(queue.received())
                .containsAll(outbox.column("select id from outbox_events where processed_at is not null", UUID.class));
        assertThat(outbox.count("processed_at is null and (attempts > 0 or dead_at is not null)"))
                .isZero();
        assertThat(outbox.count("processed_at is null"))
                .as("what a next relay sends")
                .isPositive();
        finishedByAnother();
    }

    @Test
    void killedRelaysEventsAreSentByAnotherAtOnce() {
        try (ChildProcess relay = ChildProcess.start(environment(), "relay", "--batch-size", "10")) {
            relay.awaitLog("relay is RUNNING");
            outbox.insert(5_000, "order.placed");
            await().until(() -> outbox.count("processed_at is not null") > 100);
            relay.kill();
        }
        finishedByAnother();
    }

    private void finishedByAnother() {
        try (ChildProcess other = ChildProcess.start(environment(), "relay")) {
            other.awaitLog("relay is RUNNING");
            awaitArrival(outbox.column("select id from outbox_events", UUID.class));
            assertThat(other.isAlive()).isTrue();
        }
    }

    @Test
    void ctrlCEndsItAsWell() throws IOException {
        assumeFalse(isInterruptIgnored(), "a build in the background ignores Ctrl-C, and so do its children");
        try (ChildProcess relay = ChildProcess.start(environment(), "relay")) {
            relay.awaitLog("relay is RUNNING");
            relay.signal("-INT");

            assertThat(relay.awaitExit(STOP)).isZero();
        }
    }

    @Test
    void rowsWrittenBySqlArriveAndProbesAndMetricsTellThatItRuns() {
        try (ChildProcess relay =
                ChildProcess.start(environment(), "relay", "--health-port", "0", "--relay-name", "one")) {
            relay.awaitLog("relay listens");
            awaitArrival(outbox.insert(100, "order.placed"));
            Probe probe = probe(relay);

            assertThat(probe.get("/health/live").body()).isEqualTo("{\"alive\":true}\n");
            assertThat(probe.get("/health/ready").statusCode()).isEqualTo(200);
            assertThat(probe.get("/health/ready").body())
                    .isEqualTo("{\"listening\":true,\"reason\":\"\",\"state\":\"RUNNING\"}\n");
            await().untilAsserted(() -> assertThat(probe.get("/metrics").body())
                    .contains("outbox_events_published_total 100.0", "jvm_memory_used_bytes", "hikaricp_connections")
                    .contains("outbox_relay_state{state=\"running\"} 1.0"));
            assertThat(outbox.count("processed_at is null")).isZero();
            assertThat(new CommandRun(outbox.environment()).run("status").out()).containsPattern("relay +one");
        }
    }

    @Test
    void relayMigratesFirstWhereItIsTold() {
        TestOutbox empty = TestOutbox.withoutTables();
        Map<String, String> environment = environment();
        environment.putAll(empty.environment());
        CommandRun.Result without =
                new CommandRun(environment).with("OUTBOX_LOG_LEVEL", "error").run("relay");
        assertThat(without.status()).isEqualTo(ExitStatus.SCHEMA);
        assertThat(without.err()).startsWith("error: ").contains("outbox_events");
        environment.put("OUTBOX_MIGRATE", "true");
        try (ChildProcess with = ChildProcess.start(environment, "relay")) {
            with.awaitLog("relay is RUNNING");
            awaitArrival(empty.insert(3, "order.placed"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "OUTBOX_ADMIN_PORT, OUTBOX_ADMIN_TOKEN, short, token must be",
        "OUTBOX_HEALTH_PORT, OUTBOX_HEALTH_ADDRESS, no.such.host.invalid, OUTBOX_HEALTH_ADDRESS must be an address"
    })
    void whatIsWrongWithASettingIsAllThatIsTold(String port, String name, String text, String error) {
        Map<String, String> environment = environment();
        environment.put(port, "0");
        environment.put(name, text);
        try (ChildProcess relay = ChildProcess.start(environment, "relay")) {
            assertThat(relay.awaitExit(STOP)).isEqualTo(ExitStatus.USAGE);
            assertThat(relay.err()).singleElement().asString().contains(error);
        }
    }

    @Test
    void probesTellWhatItWaitsForAndSecretsAreNowhereToBeSeen(@TempDir Path folder) throws IOException {
        String secret = "s3cret-of-the-test";
        Map<String, String> environment = environment();
        environment.put("OUTBOX_JDBC_URL", outbox.jdbcUrl().replaceFirst("[?].*", "") + "?password=" + secret);
        environment.put("OUTBOX_AMQP_URI", "amqp://user:" + secret + "@127.0.0.1:1/%2F");
        environment.remove("OUTBOX_AMQP_USER");
        environment.remove("OUTBOX_AMQP_PASSWORD");
        Path token = Files.writeString(folder.resolve("token"), secret + "\n");
        try (ChildProcess relay = ChildProcess.start(
                environment,
                "relay",
                "--health-port",
                "0",
                "--log-level",
                "debug",
                "--admin-port",
                "0",
                "--admin-token-file",
                token.toString())) {
            relay.awaitLog("relay is WAITING_FOR_BROKER");
            Probe probe = probe(relay);
            HttpResponse<String> ready = probe.get("/health/ready");

            JsonNode told = new ObjectMapper().readTree(ready.body());
            assertThat(ready.statusCode()).isEqualTo(503);
            assertThat(told.path("state").asText()).isEqualTo("WAITING_FOR_BROKER");
            assertThat(told.path("reason").asText())
                    .contains("no connection to RabbitMQ at 127.0.0.1:1")
                    .doesNotContain(secret);
            assertThat(probe.get("/health/live").statusCode()).isEqualTo(200);
            assertThat(relay.commandLine()).contains("relay").doesNotContain(secret);
            relay.terminate();
            assertThat(relay.awaitExit(STOP)).isZero();
            assertThat(relay.err()).isNotEmpty().noneMatch(line -> line.contains(secret));
        }
    }

    @Test
    void oldRowsAreDeletedWhereItIsToldAndTheLogIsJsonForPrograms() {
        outbox.insert(10, "order.placed");
        outbox.execute("update outbox_events set processed_at = now() - interval '8 days'");
        try (ChildProcess relay =
                ChildProcess.start(environment(), "relay", "--keep-published-events", "7d", "--log-format", "json")) {
            relay.awaitLog("relay is RUNNING");
            relay.awaitLog("cleanup deleted old rows");
            assertThat(outbox.count("true")).isZero();
            relay.terminate();
            relay.awaitExit(STOP);

            assertThat(relay.out()).isEmpty();
            assertThat(relay.err())
                    .allSatisfy(line -> assertThat(new ObjectMapper()
                                    .readTree(line)
                                    .path("time")
                                    .asText())
                            .startsWith("20"));
            assertThat(relay.err()).anySatisfy(line -> {
                JsonNode told = new ObjectMapper().readTree(line);
                assertThat(told.path("state").asText()).isEqualTo("RUNNING");
                assertThat(told.path("level").asText()).isEqualTo("INFO");
            });
        }
    }

    private static boolean isInterruptIgnored() throws IOException {
        String ignored = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .findFirst()
                .orElseThrow();
        // SIGINT is the second signal.
        return (Long.parseUnsignedLong(ignored.substring("SigIgn:".length()).strip(), 16) & 2) != 0;
    }

    private Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>(outbox.environment());
        environment.putAll(queue.environment());
        return environment;
    }

    private void awaitArrival(List<UUID> ids) {
        await().atMost(ARRIVAL).untilAsserted(() -> assertThat(queue.received()).containsAll(ids));
    }

    private static Probe probe(ChildProcess relay) {
        for (String line : relay.err()) {
            Matcher port = PORT.matcher(line);
            if (port.find()) {
                return new Probe(Integer.parseInt(port.group(1)));
            }
        }
        throw new AssertionError("no port in " + relay.err());
    }
}
