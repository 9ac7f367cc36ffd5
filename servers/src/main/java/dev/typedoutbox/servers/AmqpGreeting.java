package dev.typedoutbox.servers;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;

/** The first frame that an AMQP 0-9-1 server sends to a client. */
final class AmqpGreeting {

    private static final int TIMEOUT_MILLIS = 2_000;
    private static final int DEFAULT_PORT = 5672;
    private static final int FRAME_HEADER_REST = 2;
    private static final int METHOD_FRAME = 1;
    private static final byte[] PROTOCOL_HEADER = {'A', 'M', 'Q', 'P', 0, 0, 9, 1};

    private final String frame;

    private AmqpGreeting(String frame) {
        this.frame = frame;
    }

    static AmqpGreeting of(URI uri) throws IOException {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            int port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
            socket.connect(new InetSocketAddress(uri.getHost(), port), TIMEOUT_MILLIS);
            socket.getOutputStream().write(PROTOCOL_HEADER);
            return new AmqpGreeting(readFrame(new DataInputStream(socket.getInputStream())));
        }
    }

    boolean isFromRabbitMq() {
        return frame.contains("RabbitMQ");
    }

    private static String readFrame(DataInputStream in) throws IOException {
        if (in.readUnsignedByte() != METHOD_FRAME) {
            throw new IOException("not an AMQP 0-9-1 server");
        }
        in.skipNBytes(FRAME_HEADER_REST);
        return new String(in.readNBytes(in.readInt()), ISO_8859_1);
    }
}
