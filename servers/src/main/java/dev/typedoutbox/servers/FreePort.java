package dev.typedoutbox.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** Finds ports of the loopback interface for servers that come back on the same port. */
final class FreePort {

    // Below the ephemeral range, or an outgoing connection could take the port while its server is down.
    private static final int LOWEST = 20_000;
    private static final int HIGHEST = 32_000;
    private static final int ATTEMPTS = 200;

    /** Each process has ports of its own to begin with: a port is free until its server is up, and so for others, too. */
    private static final int OF_A_PROCESS = 400;

    private static final Set<Integer> FOUND = ConcurrentHashMap.newKeySet();

    private FreePort() {}

    static int find() {
        int places = (HIGHEST - LOWEST) / OF_A_PROCESS;
        int own = LOWEST + (int) (ProcessHandle.current().pid() % places) * OF_A_PROCESS;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = attempt < ATTEMPTS / 2 ? between(own, own + OF_A_PROCESS) : between(LOWEST, HIGHEST);
            if (isFree(port) && FOUND.add(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port found between " + LOWEST + " and " + HIGHEST);
    }

    private static int between(int from, int to) {
        return ThreadLocalRandom.current().nextInt(from, to);
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
