package dev.typedoutbox.rabbit.support;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A port of this machine that leads to a server whose answers can be held back for a while. */
public final class HoldingLink implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HoldingLink.class);

    private final String host;
    private final int targetPort;
    private final ServerSocket listener;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Object gate = new Object();
    private boolean held;

    public HoldingLink(String host, int targetPort) throws IOException {
        this.host = host;
        this.targetPort = targetPort;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        background(this::accept);
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** Holds back what the server says from now on; what the clients say passes. */
    public void hold() {
        setHeld(true);
    }

    /** Lets pass what was held back, where the connection still stands. */
    public void release() {
        setHeld(false);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        release();
        for (Socket socket : open) {
            socket.close();
        }
    }

    private void setHeld(boolean hold) {
        synchronized (gate) {
            held = hold;
            gate.notifyAll();
        }
    }

    private void accept() throws IOException, InterruptedException {
        while (!listener.isClosed()) {
            Socket client = listener.accept();
            Socket server = new Socket(host, targetPort);
            open.add(client);
            open.add(server);
            background(() -> forward(client, server, false));
            background(() -> forward(server, client, true));
        }
    }

    private void forward(Socket from, Socket to, boolean holdable) throws IOException, InterruptedException {
        byte[] buffer = new byte[64 * 1024];
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                if (holdable) {
                    awaitRelease();
                }
                out.write(buffer, 0, n);
            }
        } finally {
            open.remove(from);
        }
    }

    private void awaitRelease() throws InterruptedException {
        synchronized (gate) {
            while (held) {
                gate.wait();
            }
        }
    }

    private static void background(Work work) {
        Thread thread = new Thread(() -> run(work), "holding-link");
        thread.setDaemon(true);
        thread.start();
    }

    private static void run(Work work) {
        try {
            work.run();
        } catch (IOException e) {
            LOG.debug("connection ended", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }
}
