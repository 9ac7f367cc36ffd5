package dev.typedoutbox.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What probes are told, over HTTP. {@link RelayProcessTest} asks a relay that runs. */
class HealthTest {
    private final Health health = new Health();
    private final HealthServer server = HealthServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), HealthServer.pages(health, () -> ""));
    private final Probe probe = new Probe(server.port());

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void processWithoutARelayYetIsAliveAndNotReady() {
        assertAnswer("/health/live", 200, "{\"alive\":true}\n");
        assertAnswer("/health/ready", 503, "{\"listening\":false,\"reason\":\"\",\"state\":\"STARTING\"}\n");
    }

    @Test
    void processThatWaitsForItsDatabaseIsAliveAndTellsWhyItIsNotReady() {
        health.waitsForDatabase("refused");

        assertAnswer("/health/live", 200, "{\"alive\":true}\n");
        assertAnswer(
                "/health/ready",
                503,
                "{\"listening\":false,\"reason\":\"refused\",\"state\":\"WAITING_FOR_DATABASE\"}\n");
    }

    @Test
    void relayThatHasLostAThreadIsToBeRestarted() {
        AtomicBoolean alive = new AtomicBoolean(true);
        health.watch(alive::get, () -> true);
        assertAnswer("/health/live", 200, "{\"alive\":true}\n");

        alive.set(false);

        assertAnswer("/health/live", 503, "{\"alive\":false}\n");
    }

    private void assertAnswer(String path, int status, String body) {
        HttpResponse<String> answer = probe.get(path);
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.body()).isEqualTo(body);
    }
}
