package dev.typedoutbox.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.typedoutbox.servers.PostgresServer;
import dev.typedoutbox.servers.TcpProxy;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A relay waits for servers that are not there, goes over to others, and stops in time whatever they do. */
class ServersThatGoTest {
    private static final Duration RECOVERY = Duration.ofSeconds(40);
    private static final Duration STOP = Duration.ofSeconds(25);
    private static final Pattern ADDRESS = Pattern.compile("//([^:/]+:[0-9]+)/");

    private static final PostgresServer SERVER = PostgresServer.startFromBinaries();

    private final TestQueue queue = TestQueue.create();

    @AfterEach
    void resume() {
        SERVER.resume();
    }

    @AfterAll
    static void close() {
        SERVER.close();
    }

    @Test
    void databaseThatComesLaterIsWaitedFor() {
        TestOutbox outbox = TestOutbox.on(SERVER);
        List<UUID> ids = outbox.insert(3, "order.placed");
        SERVER.stop();
        try (ChildProcess relay = ChildProcess.start(environment(outbox), "relay")) {
            relay.awaitLog("relay is WAITING_FOR_DATABASE");
            assertThat(relay.hasLogged("no connection to PostgreSQL at 127.0.0.1"))
                    .isTrue();
            SERVER.resume();
            awaitArrival(ids);
            assertThat(relay.err().stream().filter(line -> line.contains("WARN")))
                    .as("one line for each thing that is away")
                    .hasSizeLessThan(6);
        }
    }

    @Test
    void migrationWaitsForTheDatabase() {
        TestOutbox outbox = TestOutbox.on(SERVER);
        SERVER.stop();
        try (ChildProcess relay = ChildProcess.start(environment(outbox), "relay", "--migrate")) {
            relay.awaitLog("tables cannot be created or updated yet");
            SERVER.resume();
            relay.awaitLog("relay is RUNNING");
        }
    }

    @Test
    void migrationThatWaitsCanBeStopped() {
        Map<String, String> environment = new HashMap<>(queue.environment());
        environment.put("OUTBOX_JDBC_URL", "jdbc:postgresql://127.0.0.1:1/none");
        try (ChildProcess relay = ChildProcess.start(environment, "relay", "--migrate")) {
            relay.awaitLog("tables cannot be created or updated yet");
            relay.terminate();

            assertThat(relay.awaitExit(STOP)).isZero();
        }
    }

    @Test
    void secondHostTakesOverFromTheFirst() {
        try (PostgresServer second = PostgresServer.startFromBinaries()) {
            TestOutbox before = TestOutbox.named("orders", SERVER);
            TestOutbox after = TestOutbox.named("orders", second);
            Map<String, String> environment = environment(before);
            environment.put(
                    "OUTBOX_JDBC_URL",
                    "jdbc:postgresql://" + address(before) + "," + address(after) + "/orders?targetServerType=primary");
            try (ChildProcess relay = ChildProcess.start(environment, "relay")) {
                relay.awaitLog("relay listens");
                awaitArrival(before.insert(3, "order.placed"));
                SERVER.stop();
                await().atMost(RECOVERY).until(() -> count(relay, "relay listens") == 2);
                awaitArrival(after.insert(3, "order.placed"));
            }
        }
    }

    @Test
    void halfOpenConnectionsAreGivenUp() {
        TestOutbox outbox = TestOutbox.create();
        URI address = URI.create("tcp://" + address(outbox));
        try (TcpProxy proxy = TcpProxy.to(address.getHost(), address.getPort())) {
            Map<String, String> environment = environment(outbox);
            environment.put("OUTBOX_JDBC_URL", outbox.jdbcUrl().replace(address(outbox), "127.0.0.1:" + proxy.port()));
            try (ChildProcess relay = ChildProcess.start(environment, "relay", "--statement-timeout", "1s")) {
                relay.awaitLog("relay listens");
                proxy.swallow(TcpProxy.Direction.TO_CLIENT);
                relay.awaitLog("relay is WAITING_FOR_DATABASE");
                proxy.heal();
                awaitArrival(outbox.insert(3, "order.placed"));
            }
        }
    }

    @Test
    void relayStopsInTimeBeforeADatabaseThatDoesNotAnswer() {
        TestOutbox outbox = TestOutbox.on(SERVER);
        try (ChildProcess relay = ChildProcess.start(environment(outbox), "relay", "--close-timeout", "2s")) {
            relay.awaitLog("relay listens");
            freeze("-STOP");
            relay.terminate();
            assertThat(relay.awaitExit(STOP)).isZero();
        } finally {
            freeze("-CONT");
        }
    }

    private Map<String, String> environment(TestOutbox outbox) {
        Map<String, String> environment = new HashMap<>(outbox.environment());
        environment.putAll(queue.environment());
        return environment;
    }

    private void awaitArrival(List<UUID> ids) {
        assertThat(ids).isNotEmpty();
        await().atMost(RECOVERY)
                .untilAsserted(() -> assertThat(queue.received()).containsAll(ids));
    }

    private static String address(TestOutbox outbox) {
        Matcher address = ADDRESS.matcher(outbox.jdbcUrl());
        assertThat(address.find()).isTrue();
        return address.group(1);
    }

    private static void freeze(String signal) {
        ProcessHandle postmaster = SERVER.process().orElseThrow();
        Stream.concat(Stream.of(postmaster), postmaster.descendants())
                .forEach(process -> ChildProcess.signal(process.pid(), signal));
    }

    private static long count(ChildProcess relay, String text) {
        return relay.err().stream().filter(line -> line.contains(text)).count();
    }
}
