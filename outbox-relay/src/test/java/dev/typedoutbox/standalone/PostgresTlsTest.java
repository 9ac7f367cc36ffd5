package dev.typedoutbox.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.typedoutbox.servers.PostgresServer;
import dev.typedoutbox.standalone.CommandRun.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS to PostgreSQL: with the right certificate and name, and with neither. */
class PostgresTlsTest {
    private static final Duration ARRIVAL = Duration.ofSeconds(20);

    @TempDir
    static Path folder;

    private static PostgresServer server;
    private static TestOutbox outbox;
    private static Path certificate;

    @BeforeAll
    static void start() throws Exception {
        SelfSigned own = SelfSigned.create(folder, "relay", "EC");
        certificate = Files.writeString(folder.resolve("certificate.pem"), own.certificate());
        Path key = Files.writeString(folder.resolve("key.pem"), own.key());
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        server = PostgresServer.startFromBinaries(
                Map.of("ssl", "on", "ssl_cert_file", certificate.toString(), "ssl_key_file", key.toString()));
        outbox = TestOutbox.on(server);
    }

    @AfterAll
    static void close() {
        server.close();
    }

    @Test
    void serverWhoseCertificateIsTrustedIsUsedByAllConnections() {
        TestQueue queue = TestQueue.create();
        Map<String, String> environment = new HashMap<>(outbox.environment());
        environment.putAll(queue.environment());
        environment.put("OUTBOX_JDBC_URL", url("127.0.0.1", certificate));
        try (ChildProcess relay = ChildProcess.start(environment, "relay")) {
            relay.awaitLog("relay listens");
            List<UUID> ids = outbox.insert(10, "order.placed");

            await().atMost(ARRIVAL)
                    .untilAsserted(() -> assertThat(queue.received()).containsAll(ids));
            assertThat(outbox.column(
                            "select ssl from pg_stat_ssl join pg_stat_activity using (pid)"
                                    + " where application_name like '%outbox-relay%'",
                            Boolean.class))
                    .hasSizeGreaterThan(2)
                    .containsOnly(true);
        }
    }

    @Test
    void serverWhoseCertificateIsNotTrustedIsRefused() throws Exception {
        String other = SelfSigned.create(folder, "another", "EC").certificate();
        Path trusted = Files.writeString(folder.resolve("other.pem"), other);

        assertRefused(url("127.0.0.1", trusted), "certification path");
    }

    @Test
    void serverOfAnotherNameIsRefused() {
        assertRefused(url("localhost", certificate), "localhost could not be verified");
    }

    private static void assertRefused(String url, String reason) {
        Result status = new CommandRun(outbox.environment())
                .with("OUTBOX_JDBC_URL", url)
                .run("status");

        assertThat(status.status()).isEqualTo(ExitStatus.FAILURE);
        assertThat(status.err()).contains("no connection to PostgreSQL at ", reason);
    }

    private static String url(String host, Path trusted) {
        return outbox.jdbcUrl().replaceFirst("[?].*", "").replace("127.0.0.1", host)
                + "?sslmode=verify-full&sslrootcert=" + trusted;
    }
}
