package dev.typedoutbox.servers;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A port for TLS, with a key and a certificate that are made for it and known to nobody else. */
final class TlsListener {

    private static final int TOOL_SECONDS = 60;
    private static final String ALIAS = "server";
    private static final String NEW_CERTIFICATE = "-genkeypair -alias " + ALIAS + " -keyalg EC -dname CN=localhost"
            + " -ext san=ip:127.0.0.1,dns:localhost -validity 2 -storetype PKCS12";

    private static final Base64.Encoder PEM = Base64.getMimeEncoder(64, new byte[] {'\n'});

    private final int port = FreePort.find();
    private final TemporaryFolder folder;
    private final char[] password = UUID.randomUUID().toString().toCharArray();
    private final KeyStore keys;

    TlsListener(TemporaryFolder folder) {
        this.folder = folder;
        Path store = folder.resolve("tls.p12");
        runKeytool(store);
        try (InputStream file = Files.newInputStream(store)) {
            keys = KeyStore.getInstance("PKCS12");
            keys.load(file, password);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the key of the TLS listener could not be read", e);
        }
    }

    int port() {
        return port;
    }

    /** The lines of a RabbitMQ configuration that open the port. */
    List<String> configuration() {
        try {
            return List.of(
                    "listeners.ssl.1 = 127.0.0.1:" + port,
                    "ssl_options.certfile = "
                            + pem("CERTIFICATE", keys.getCertificate(ALIAS).getEncoded()),
                    "ssl_options.keyfile = "
                            + pem("PRIVATE KEY", keys.getKey(ALIAS, password).getEncoded()),
                    "ssl_options.verify = verify_none",
                    "ssl_options.fail_if_no_peer_cert = false");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the key of the TLS listener could not be read", e);
        }
    }

    /** What a client needs that trusts this listener and no other. */
    SSLContext clientContext() {
        try {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry(ALIAS, keys.getCertificate(ALIAS));
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the certificate of the TLS listener could not be used", e);
        }
    }

    private String pem(String type, byte[] content) {
        return folder.write(
                type.replace(' ', '-') + ".pem",
                "-----BEGIN " + type + "-----\n" + PEM.encodeToString(content) + "\n-----END " + type + "-----\n");
    }

    /** The JDK itself has a tool, and no interface, that makes certificates. */
    private void runKeytool(Path store) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(NEW_CERTIFICATE.split(" ")));
        command.addAll(List.of("-keystore", store.toString()));
        command.addAll(List.of("-storepass:file", folder.write("tls-password", new String(password))));
        Path output = folder.resolve("keytool.log");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            if (!process.waitFor(TOOL_SECONDS, SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IllegalStateException("keytool failed: " + LogTail.of(output));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a certificate is made", e);
        }
    }
}
