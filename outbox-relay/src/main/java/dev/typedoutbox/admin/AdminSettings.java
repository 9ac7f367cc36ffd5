package dev.typedoutbox.admin;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where the page listens and what it lets its visitors see and do.
 *
 * @param schema the schema of the outbox
 * @param host where to listen, as it was given
 * @param address what the host was resolved to, once, so that what is checked is what is listened at
 * @param port where to listen, 0 for any free port
 * @param token what visitors must know, empty where everybody on this machine may come in
 * @param readOnly whether nothing may be changed
 * @param showPayloads whether payloads and headers are shown
 */
record AdminSettings(
        String schema,
        String host,
        InetAddress address,
        int port,
        Optional<AccessToken> token,
        boolean readOnly,
        boolean showPayloads) {

    AdminSettings {
        if (token.isEmpty() && !address.isLoopbackAddress()) {
            throw new IllegalArgumentException(
                    "token must be set where host is not a loopback address (was unset, host " + host
                            + "): set one, or listen on 127.0.0.1");
        }
    }

    static InetAddress resolve(String host) {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(
                    "host must be an address of this machine, or a name of one (was " + host + ")", e);
        }
    }

    static Optional<AccessToken> checked(@Nullable String token) {
        return Optional.ofNullable(token).map(AccessToken::of);
    }
}
