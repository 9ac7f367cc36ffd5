package dev.typedoutbox.standalone;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** What TLS to RabbitMQ needs, from PEM files. Without any, the JVM's own stores serve. */
final class TlsFiles {
    private static final List<Setting> ALL =
            List.of(Setting.AMQP_CA_FILE, Setting.AMQP_CERTIFICATE_FILE, Setting.AMQP_KEY_FILE);

    private final Settings settings;

    private TlsFiles(Settings settings) {
        this.settings = settings;
    }

    static TlsFiles of(Settings settings) {
        if (settings.has(Setting.AMQP_CERTIFICATE_FILE) != settings.has(Setting.AMQP_KEY_FILE)) {
            throw Failure.usage(Setting.AMQP_CERTIFICATE_FILE + " and " + Setting.AMQP_KEY_FILE
                    + " must be given together (was one of them)");
        }
        return new TlsFiles(settings);
    }

    /** A file that is not used would look like safety. */
    static void requireNone(Settings settings) {
        ALL.stream().filter(settings::has).findFirst().ifPresent(file -> {
            throw Failure.usage(
                    Setting.AMQP_URI + " must begin with amqps: where " + file + " is given (was amqp:, without TLS)");
        });
    }

    SSLContext context() {
        try {
            if (ALL.stream().noneMatch(settings::has)) {
                return SSLContext.getDefault();
            }
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys(), trust(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw Failure.of("TLS could not be set up: " + Reason.of(e), e);
        }
    }

    private TrustManager @Nullable [] trust() throws IOException, GeneralSecurityException {
        if (!settings.has(Setting.AMQP_CA_FILE)) {
            return null;
        }
        KeyStore trusted = empty();
        int number = 0;
        for (X509Certificate certificate : certificates(Setting.AMQP_CA_FILE)) {
            trusted.setCertificateEntry("ca-" + number, certificate);
            number++;
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        return factory.getTrustManagers();
    }

    private KeyManager @Nullable [] keys() throws IOException, GeneralSecurityException {
        if (!settings.has(Setting.AMQP_KEY_FILE)) {
            return null;
        }
        char[] none = new char[0];
        KeyStore own = empty();
        own.setKeyEntry(
                "client",
                key(),
                none,
                certificates(Setting.AMQP_CERTIFICATE_FILE).toArray(X509Certificate[]::new));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(own, none);
        return factory.getKeyManagers();
    }

    private PrivateKey key() {
        return Pem.privateKey(content(Setting.AMQP_KEY_FILE))
                .orElseThrow(() -> settings.wrong(
                        Setting.AMQP_KEY_FILE, "a PEM file with a PRIVATE KEY, PKCS#8 and not encrypted"));
    }

    private List<X509Certificate> certificates(Setting setting) {
        List<X509Certificate> certificates = Pem.certificates(content(setting));
        if (certificates.isEmpty()) {
            throw settings.wrong(setting, "a PEM file with a CERTIFICATE");
        }
        return certificates;
    }

    private String content(Setting setting) {
        try {
            return Files.readString(Path.of(settings.text(setting)), StandardCharsets.ISO_8859_1);
        } catch (IOException | IllegalArgumentException e) {
            throw settings.wrong(setting, "a file that can be read");
        }
    }

    private static KeyStore empty() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }
}
