package dev.typedoutbox.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;

/** A key, and a certificate for 127.0.0.1 that it signed, as PEM. */
record SelfSigned(String key, String certificate) {
    private static final char[] PASSWORD = "changeit".toCharArray();

    /** The JDK has a tool, and no interface, that makes certificates. */
    static SelfSigned create(Path folder, String name, String algorithm) throws IOException, GeneralSecurityException {
        Path store = Files.createTempDirectory(folder, "certificate").resolve("store.p12");
        runKeytool(name, algorithm, store);
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream file = Files.newInputStream(store)) {
            keys.load(file, PASSWORD);
        }
        return new SelfSigned(
                PemText.of("PRIVATE KEY", keys.getKey("relay", PASSWORD).getEncoded()),
                PemText.of("CERTIFICATE", keys.getCertificate("relay").getEncoded()));
    }

    private static void runKeytool(String name, String algorithm, Path store) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-genkeypair",
                "-alias",
                "relay",
                "-keyalg",
                algorithm,
                "-dname",
                "CN=" + name,
                "-validity",
                "2",
                "-ext",
                "san=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD));
        Process keytool = new ProcessBuilder(command).inheritIO().start();
        assertThat(keytool.onExit().join().exitValue()).isZero();
    }
}
