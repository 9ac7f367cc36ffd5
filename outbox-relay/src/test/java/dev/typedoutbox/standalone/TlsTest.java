package dev.typedoutbox.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.typedoutbox.servers.AmqpServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS to RabbitMQ: with the right certificate and name, and with neither. */
class TlsTest {
    private static final Duration ARRIVAL = Duration.ofSeconds(20);
    private static final Optional<AmqpServer> SERVER = AmqpServer.startWithTls();

    @TempDir
    static Path folder;

    private final TestOutbox outbox = TestOutbox.create();

    @BeforeAll
    static void requireServer() {
        assumeTrue(SERVER.isPresent(), "an installed rabbitmq-server is needed");
    }

    @AfterAll
    static void close() {
        SERVER.ifPresent(AmqpServer::close);
    }

    @Test
    void serverWhoseCertificateIsTrustedIsUsed() throws IOException {
        TestQueue queue = TestQueue.on(server());
        Map<String, String> environment = environment(queue, server().tlsUri());
        environment.put("OUTBOX_AMQP_CA_FILE", certificate().toString());
        try (ChildProcess relay = ChildProcess.start(environment, "relay")) {
            relay.awaitLog("relay is RUNNING");
            List<UUID> ids = outbox.insert(10, "order.placed");

            await().atMost(ARRIVAL)
                    .untilAsserted(() -> assertThat(queue.received()).containsAll(ids));
            assertThat(relay.hasLogged("amqps://127.0.0.1")).isTrue();
            assertThat(relay.hasLogged("trusts every certificate")).isFalse();
        }
    }

    @Test
    void serverWhoseCertificateIsNotTrustedIsRefused() {
        TestQueue queue = TestQueue.on(server());
        try (ChildProcess relay = ChildProcess.start(environment(queue, server().tlsUri()), "relay")) {
            relay.awaitLog("relay is WAITING_FOR_BROKER");

            assertThat(relay.hasLogged("certification path"))
                    .as("%s", relay.err())
                    .isTrue();
        }
    }

    @Test
    void serverOfAnotherNameIsRefused() throws IOException {
        TestQueue queue = TestQueue.on(server());
        Path hosts = Files.writeString(folder.resolve("hosts"), "127.0.0.1 other.example localhost\n");
        URI other = URI.create(server().tlsUri().toString().replace("127.0.0.1", "other.example"));
        Map<String, String> environment = environment(queue, other);
        environment.put("OUTBOX_AMQP_CA_FILE", certificate().toString());
        try (ChildProcess relay = ChildProcess.start(environment, List.of("-Djdk.net.hosts.file=" + hosts), "relay")) {
            relay.awaitLog("relay is WAITING_FOR_BROKER");

            assertThat(relay.hasLogged("other.example")).isTrue();
            assertThat(relay.hasLogged("No subject alternative DNS name matching"))
                    .as("%s", relay.err())
                    .isTrue();
        }
    }

    private Map<String, String> environment(TestQueue queue, URI uri) {
        Map<String, String> environment = new HashMap<>(outbox.environment());
        environment.putAll(queue.environment(uri));
        return environment;
    }

    private static AmqpServer server() {
        return SERVER.orElseThrow();
    }

    /** The server's own one, which signed itself, as it shows it. */
    private static Path certificate() throws IOException {
        URI uri = server().tlsUri();
        try (SSLSocket socket =
                (SSLSocket) server().tlsContext().getSocketFactory().createSocket(uri.getHost(), uri.getPort())) {
            socket.startHandshake();
            Certificate certificate = socket.getSession().getPeerCertificates()[0];
            return Files.writeString(folder.resolve("ca.pem"), PemText.of("CERTIFICATE", certificate.getEncoded()));
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException(e);
        }
    }
}
