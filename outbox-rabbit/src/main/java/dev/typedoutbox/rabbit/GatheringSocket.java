package dev.typedoutbox.rabbit;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A plain socket whose writes are gathered while a burst of messages lasts. The client flushes after each message, and a
 * system call for each is most of what publishing costs here, and a good part of what reading costs the broker.
 */
final class GatheringSocket extends Socket {
    private static final int BUFFER_BYTES = 64 * 1024;

    private @Nullable Gathering output;

    @Override
    public synchronized OutputStream getOutputStream() throws IOException {
        Gathering current = output;
        if (current == null) {
            current = new Gathering(super.getOutputStream());
            output = current;
        }
        return current;
    }

    /** Something that writes to the socket. */
    @FunctionalInterface
    interface Writing {
        void run() throws IOException;
    }

    /**
     * Lets what is written meanwhile wait for more, and sends it at the end. Bursts of several threads may overlap: none
     * waits for the end of another.
     */
    void inOneBurst(Writing writing) throws IOException {
        Gathering gathering = (Gathering) getOutputStream();
        gathering.beginBurst();
        try {
            writing.run();
        } finally {
            gathering.endBurst();
        }
    }

    private static final class Gathering extends BufferedOutputStream {
        private int bursts;

        Gathering(OutputStream out) {
            super(out, BUFFER_BYTES);
        }

        @Override
        public synchronized void flush() throws IOException {
            if (bursts == 0) {
                super.flush();
            }
        }

        synchronized void beginBurst() {
            bursts++;
        }

        synchronized void endBurst() throws IOException {
            bursts--;
            super.flush();
        }
    }

    /** Makes them unconnected, as the client asks for them; what is made otherwise is an ordinary socket. */
    static final class Factory extends SocketFactory {
        private final SocketFactory ordinary = SocketFactory.getDefault();

        @Override
        public Socket createSocket() {
            return new GatheringSocket();
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return ordinary.createSocket(host, port);
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
            return ordinary.createSocket(host, port, local, localPort);
        }

        @Override
        public Socket createSocket(InetAddress host, int port) throws IOException {
            return ordinary.createSocket(host, port);
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) throws IOException {
            return ordinary.createSocket(host, port, local, localPort);
        }
    }
}
