package dev.typedoutbox.admin;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The secret that opens the page, kept as its digest alone. */
final class AccessToken {
    private static final int SHORTEST = 16;
    private static final int LONGEST = 512;

    private final byte[] digest;

    private AccessToken(byte[] digest) {
        this.digest = digest;
    }

    static AccessToken of(String token) {
        if (!token.matches("[!-~]*")) {
            throw new IllegalArgumentException("token must be visible ASCII characters alone (was one with others)");
        }
        if (token.length() < SHORTEST || token.length() > LONGEST) {
            throw new IllegalArgumentException("token must be " + SHORTEST + " to " + LONGEST + " characters (was "
                    + token.length() + " characters)");
        }
        return new AccessToken(digest(token));
    }

    /** Takes the same time whatever the attempt has in common with the token. */
    boolean isSameAs(String attempt) {
        return MessageDigest.isEqual(digest, digest(attempt));
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
