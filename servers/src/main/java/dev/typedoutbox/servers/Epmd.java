package dev.typedoutbox.servers;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;

/**
 * Erlang's port mapper on a port of our own. A node starts it as a daemon outside its process tree, so it can only be
 * ended through its protocol.
 */
final class Epmd {

    private static final byte[] KILL_REQUEST = {0, 1, 'k'};
    private static final byte[] ACCEPTED = {'O', 'K'};

    private final int port;

    Epmd(int port) {
        this.port = port;
    }

    int port() {
        return port;
    }

    /** Ends it; it refuses until it has noticed that the last node is gone. */
    void stop() {
        Readiness.await("The end of epmd at port " + port, this::accepted);
    }

    private boolean accepted() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(KILL_REQUEST);
            return Arrays.equals(socket.getInputStream().readNBytes(ACCEPTED.length), ACCEPTED);
        } catch (ConnectException e) {
            return true;
        }
    }
}
