package dev.typedoutbox.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port on the loopback interface that leads to a server, and can spoil the way: cut connections, or leave them open and
 * let nothing pass, as a broken network does.
 *
 * <p>Thread-safe.
 *
 * @since 0.1.0
 */
public final class TcpProxy implements AutoCloseable {
    /** A way through the proxy. */
    public enum Direction {
        /** What the clients send. */
        TO_SERVER,
        /** What the server sends. */
        TO_CLIENT
    }

    private static final Logger LOG = LoggerFactory.getLogger(TcpProxy.class);
    private static final int BUFFER = 64 * 1024;

    /** How many connections may wait to be accepted: a client may open hundreds at once. */
    private static final int BACKLOG = 1_000;

    private final InetSocketAddress target;
    private final ServerSocket listener;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Set<Direction> swallowed = EnumSet.noneOf(Direction.class);

    private TcpProxy(InetSocketAddress target, ServerSocket listener) {
        this.target = target;
        this.listener = listener;
    }

    /**
     * Opens a way to a server.
     *
     * @param host the server's host
     * @param port the server's port
     * @return the proxy
     * @throws IllegalStateException if no port can be opened
     */
    public static TcpProxy to(String host, int port) {
        try {
            TcpProxy proxy = new TcpProxy(
                    new InetSocketAddress(host, port), new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()));
            background(proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new IllegalStateException("no port could be opened", e);
        }
    }

    /**
     * Where the proxy listens.
     *
     * @return the port on 127.0.0.1
     */
    public int port() {
        return listener.getLocalPort();
    }

    /**
     * Lets nothing more pass in a direction. Connections stay open, new ones included, and their bytes are lost.
     *
     * @param direction the way
     */
    public void swallow(Direction direction) {
        synchronized (swallowed) {
            swallowed.add(direction);
        }
    }

    /** Ends all connections, which may have lost bytes, and lets new ones pass both ways. */
    public void heal() {
        synchronized (swallowed) {
            swallowed.clear();
        }
        cut();
    }

    /** Ends all connections; new ones pass as before. */
    public void cut() {
        open.forEach(TcpProxy::close);
    }

    @Override
    public void close() {
        close(listener);
        cut();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                connect(listener.accept());
            } catch (IOException e) {
                LOG.debug("connection ended at once: the proxy was closed, or the server is down", e);
            }
        }
    }

    private void connect(Socket client) throws IOException {
        Socket server = new Socket();
        try {
            server.connect(target);
        } catch (IOException e) {
            client.close();
            throw e;
        }
        open.add(client);
        open.add(server);
        if (listener.isClosed()) {
            // Closing may have looked before these were there.
            cut();
        }
        background(() -> forward(client, server, Direction.TO_SERVER));
        background(() -> forward(server, client, Direction.TO_CLIENT));
    }

    private void forward(Socket from, Socket to, Direction direction) {
        byte[] buffer = new byte[BUFFER];
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                if (!isSwallowed(direction)) {
                    out.write(buffer, 0, n);
                }
            }
        } catch (IOException e) {
            LOG.debug("connection ended", e);
        } finally {
            end(from);
            end(to);
        }
    }

    private void end(Socket socket) {
        open.remove(socket);
        close(socket);
    }

    private boolean isSwallowed(Direction direction) {
        synchronized (swallowed) {
            return swallowed.contains(direction);
        }
    }

    private static void close(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            throw new IllegalStateException("socket could not be closed", e);
        }
    }

    private static void background(Runnable work) {
        Thread thread = new Thread(work, "tcp-proxy");
        thread.setDaemon(true);
        thread.start();
    }
}
