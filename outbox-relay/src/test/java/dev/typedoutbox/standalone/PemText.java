package dev.typedoutbox.standalone;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Writes PEM. */
final class PemText {
    private PemText() {}

    static String of(String type, byte[] content) {
        String body = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(content);
        return "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n";
    }
}
