package dev.typedoutbox.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.standalone.HealthServer.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HealthServerTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final HealthServer server = HealthServer.start(
            ANY_PORT,
            Map.of(
                    "/health/ready", () -> new Answer(503, "application/json", "{}\n"),
                    "/metrics",
                            () -> {
                                throw new IllegalStateException("not for everybody");
                            }));
    private final Probe probe = new Probe(server.port());

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void pageIsServedAsItSays() {
        HttpResponse<String> answer = probe.get("/health/ready");

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).isEqualTo("{}\n");
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
        assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
    }

    @Test
    void headHasNoBody() {
        HttpResponse<String> answer = probe.send("HEAD", "/health/ready");

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).isEmpty();
        assertThat(answer.headers().firstValue("Content-Length")).contains("3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS"})
    void otherMethodsAreRefused(String method) {
        HttpResponse<String> answer = probe.send(method, "/health/ready");

        assertThat(answer.statusCode()).isEqualTo(405);
        assertThat(answer.headers().firstValue("Allow")).contains("GET, HEAD");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/health", "/health/ready/", "/health/ready/x", "/metrics/../", "/favicon.ico"})
    void otherPathsAreNotFound(String path) {
        assertThat(probe.get(path).statusCode()).isEqualTo(404);
    }

    @Test
    void failureIsToldToTheLogAlone() {
        HttpResponse<String> answer = probe.get("/metrics");

        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).doesNotContain("not for everybody");
    }

    @Test
    void clientsThatSendNothingDoNotKeepOthersWaitingForLong() throws IOException {
        List<Socket> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 10; i++) {
                Socket socket = new Socket(ANY_PORT.getAddress(), server.port());
                socket.getOutputStream().write("GET /health/ready HTTP/1.1\r\nX: ".getBytes(StandardCharsets.US_ASCII));
                silent.add(socket);
            }
            // Each holds one of four threads, for a bounded time.
            assertThat(new Probe(server.port()).get("/health/ready").statusCode())
                    .isEqualTo(503);
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    void addressInUseIsAFailureThatNamesTheSettings() {
        InetSocketAddress taken = new InetSocketAddress(ANY_PORT.getAddress(), server.port());

        assertThatThrownBy(() -> HealthServer.start(taken, Map.of()))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("health-address and health-port must be a free address");
    }
}
