package dev.typedoutbox.standalone;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads certificates and keys as they lie in PEM files. */
final class Pem {
    private static final Pattern BLOCK = Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");
    private static final List<String> KEY_ALGORITHMS = List.of("RSA", "EC", "Ed25519", "Ed448");

    private Pem() {}

    /** All certificates, in order; none if one of them cannot be read. */
    static List<X509Certificate> certificates(String text) {
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            List<X509Certificate> certificates = new ArrayList<>();
            for (byte[] block : blocks("CERTIFICATE", text)) {
                certificates.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block)));
            }
            return certificates;
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return List.of();
        }
    }

    static Optional<PrivateKey> privateKey(String text) {
        try {
            return blocks("PRIVATE KEY", text).stream().findFirst().flatMap(Pem::key);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** The block itself does not say of which kind the key is in a way that the JDK would read. */
    private static Optional<PrivateKey> key(byte[] block) {
        for (String algorithm : KEY_ALGORITHMS) {
            try {
                return Optional.of(KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(block)));
            } catch (GeneralSecurityException e) {
                // Of another kind.
            }
        }
        return Optional.empty();
    }

    private static List<byte[]> blocks(String type, String text) {
        List<byte[]> blocks = new ArrayList<>();
        Matcher block = BLOCK.matcher(text);
        while (block.find()) {
            if (block.group(1).equals(type)) {
                blocks.add(Base64.getMimeDecoder().decode(block.group(2)));
            }
        }
        return blocks;
    }
}
