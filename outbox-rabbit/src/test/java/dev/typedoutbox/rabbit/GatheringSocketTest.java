package dev.typedoutbox.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GatheringSocketTest {
    private ServerSocket server;
    private GatheringSocket socket;
    private Socket peer;
    private OutputStream output;
    private InputStream input;

    @BeforeEach
    void connect() throws Exception {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        socket = (GatheringSocket) new GatheringSocket.Factory().createSocket();
        socket.connect(server.getLocalSocketAddress());
        peer = server.accept();
        output = socket.getOutputStream();
        input = peer.getInputStream();
    }

    @AfterEach
    void close() throws Exception {
        peer.close();
        socket.close();
        server.close();
    }

    @Test
    void outsideOfBurstEachFlushSends() throws Exception {
        send(1);
        assertThat(input.read()).isEqualTo(1);
    }

    @Test
    void whatIsFlushedInBurstGoesOutAtItsEnd() throws Exception {
        socket.inOneBurst(() -> {
            send(1);
            send(2);
            assertThat(input.available()).isZero();
        });
        assertThat(input.readNBytes(2)).containsExactly(1, 2);
        send(3);
        assertThat(input.read()).isEqualTo(3);
    }

    @Test
    void burstThatEndsDoesNotWaitForAnother() throws Exception {
        socket.inOneBurst(() -> {
            socket.inOneBurst(() -> send(1));
            assertThat(input.read()).isEqualTo(1);
            send(2);
            assertThat(input.available()).isZero();
        });
        assertThat(input.read()).isEqualTo(2);
    }

    @Test
    void burstThatFailsSendsWhatItWrote() throws Exception {
        assertThatThrownBy(() -> socket.inOneBurst(() -> {
                    send(1);
                    throw new IOException("fails on purpose");
                }))
                .hasMessage("fails on purpose");
        assertThat(input.read()).isEqualTo(1);
        send(2);
        assertThat(input.read()).isEqualTo(2);
    }

    private void send(int value) throws IOException {
        output.write(value);
        output.flush();
    }
}
