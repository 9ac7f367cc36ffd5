package dev.typedoutbox.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TcpProxyTest {
    private ServerSocket listener;
    private TcpProxy proxy;
    private Socket client;
    private Socket server;

    @BeforeEach
    void connect() throws IOException {
        listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        proxy = TcpProxy.to("127.0.0.1", listener.getLocalPort());
        connectClient();
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        listener.close();
        client.close();
        server.close();
    }

    @Test
    void bytesPassBothWays() throws IOException {
        client.getOutputStream().write(1);
        assertThat(server.getInputStream().read()).isEqualTo(1);
        server.getOutputStream().write(2);
        assertThat(client.getInputStream().read()).isEqualTo(2);
    }

    @Test
    void swallowedDirectionIsSilentAndTheOtherPasses() throws IOException {
        proxy.swallow(TcpProxy.Direction.TO_CLIENT);
        server.getOutputStream().write(2);
        assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        client.getOutputStream().write(1);
        assertThat(server.getInputStream().read()).isEqualTo(1);
    }

    @Test
    void cutEndsBothSides() throws IOException {
        bytesPassBothWays();
        proxy.cut();
        assertThat(ended(client)).isTrue();
        assertThat(ended(server)).isTrue();
    }

    @Test
    void healedProxyPassesNewConnections() throws IOException {
        bytesPassBothWays();
        proxy.swallow(TcpProxy.Direction.TO_SERVER);
        proxy.heal();
        client.close();
        server.close();
        connectClient();
        bytesPassBothWays();
    }

    /** The server takes no connection before the proxy is closed, which is on its way to it by then. */
    @Test
    void connectionThatComesAboutAfterCloseIsEnded() throws IOException {
        List<Socket> fillers = fillBacklog();
        try (Socket late = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
            late.setSoTimeout(20_000);
            late.getOutputStream().write(1);
            proxy.close();
            for (Socket filler : fillers) {
                filler.close();
                listener.accept().close();
            }
            assertThat(ended(late)).isTrue();
        }
    }

    /** Connections until the server's system takes no more of them. */
    private List<Socket> fillBacklog() throws IOException {
        List<Socket> fillers = new ArrayList<>();
        while (true) {
            Socket filler = new Socket();
            try {
                filler.connect(listener.getLocalSocketAddress(), 300);
                fillers.add(filler);
            } catch (SocketTimeoutException e) {
                filler.close();
                return fillers;
            }
        }
    }

    private void connectClient() throws IOException {
        client = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        client.setSoTimeout(200);
        server = listener.accept();
        server.setSoTimeout(2_000);
    }

    private static boolean ended(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketException e) {
            return true;
        }
    }
}
