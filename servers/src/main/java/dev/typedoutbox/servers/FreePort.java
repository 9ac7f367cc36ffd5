package dev.typedoutbox.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Finds ports of the loopback interface for servers that come back on the same port. */
final class FreePort {

    // Below the ephemeral range, or an outgoing connection could take the port while its server is down.
    private static final int LOWEST = 20_000;
    private static final int HIGHEST = 32_000;
    private static final int ATTEMPTS = 200;

    private FreePort() {}

    static int find() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port found between " + LOWEST + " and " + HIGHEST);
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
