package dev.typedoutbox.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client certificate from PEM files, shown to a server that asks for one. */
class ClientCertificateTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC", "Ed25519"})
    void serverSeesTheCertificate(String algorithm) throws Exception {
        SelfSigned own = SelfSigned.create(folder, "relay", algorithm);
        Files.writeString(folder.resolve("key.pem"), "Some words before it.\n" + own.key());
        Files.writeString(folder.resolve("certificate.pem"), own.certificate());
        SSLContext context = TlsFiles.of(settings()).context();

        try (SSLServerSocket server = (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            server.setNeedClientAuth(true);
            CompletableFuture<String> seen = CompletableFuture.supplyAsync(() -> subjectOf(server));
            try (SSLSocket client = (SSLSocket)
                    context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), server.getLocalPort())) {
                client.startHandshake();
                assertThat(client.getInputStream().read()).isEqualTo(1);
            }
            assertThat(seen.get(10, TimeUnit.SECONDS)).isEqualTo("CN=relay");
        }
    }

    @Test
    void keyThatCannotBeReadIsRefused() throws Exception {
        SelfSigned own = SelfSigned.create(folder, "relay", "EC");
        Files.writeString(folder.resolve("certificate.pem"), own.certificate());
        Files.writeString(folder.resolve("key.pem"), own.key().replace("PRIVATE KEY", "EC PRIVATE KEY"));

        assertThatThrownBy(() -> TlsFiles.of(settings()).context())
                .isInstanceOf(Failure.class)
                .hasMessageContaining("amqp-key-file must be a PEM file with a PRIVATE KEY");
    }

    @Test
    void certificateThatCannotBeReadIsRefused() throws Exception {
        Files.writeString(
                folder.resolve("key.pem"),
                SelfSigned.create(folder, "relay", "EC").key());
        Files.writeString(folder.resolve("certificate.pem"), "no certificate");

        assertThatThrownBy(() -> TlsFiles.of(settings()).context())
                .isInstanceOf(Failure.class)
                .hasMessageContaining("amqp-certificate-file must be a PEM file with a CERTIFICATE");
    }

    private static String subjectOf(SSLServerSocket server) {
        try (SSLSocket socket = (SSLSocket) server.accept()) {
            socket.startHandshake();
            socket.getOutputStream().write(1);
            return socket.getSession().getPeerPrincipal().getName();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private Settings settings() {
        Map<Setting, Given> given = new LinkedHashMap<>();
        Map.of(
                        Setting.AMQP_CA_FILE, "certificate.pem",
                        Setting.AMQP_CERTIFICATE_FILE, "certificate.pem",
                        Setting.AMQP_KEY_FILE, "key.pem")
                .forEach((setting, file) -> given.put(
                        setting, new Given(folder.resolve(file).toString(), Given.Source.FILE, setting.name())));
        return new Settings(given);
    }
}
