package dev.typedoutbox.testkit.junit;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The parts of a broker's URI, with what a client takes where one of them is not there. */
record AmqpUri(URI uri) {
    private static final int PORT = 5672;
    private static final int TLS_PORT = 5671;
    private static final String GUEST = "guest";

    String host() {
        // Java knows no host where the name is none by the rules of DNS, and clients would go to localhost without a
        // word.
        if (uri.getHost() == null && uri.getRawAuthority() != null) {
            throw new IllegalStateException(
                    "URI of the broker must have a host of letters, digits, hyphens and dots (was "
                            + uri.getRawAuthority().replaceFirst(".*@", "") + ")");
        }
        return Optional.ofNullable(uri.getHost()).orElse("localhost");
    }

    int port() {
        int meant = "amqps".equalsIgnoreCase(uri.getScheme()) ? TLS_PORT : PORT;
        return uri.getPort() < 0 ? meant : uri.getPort();
    }

    String user() {
        return login(0).orElse(GUEST);
    }

    String password() {
        return login(1).filter(password -> !password.isEmpty()).orElse(GUEST);
    }

    String virtualHost() {
        String path = Optional.ofNullable(uri.getRawPath()).orElse("");
        return path.isEmpty() ? "/" : decoded(path.substring(1));
    }

    /** Cut first and decoded then, or a colon in a name would cut it. */
    private Optional<String> login(int part) {
        return Optional.ofNullable(uri.getRawUserInfo())
                .map(login -> login.split(":", 2))
                .filter(parts -> parts.length > part)
                .map(parts -> decoded(parts[part]));
    }

    /** A plus sign is one here, other than in a form. */
    private static String decoded(String raw) {
        return URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
