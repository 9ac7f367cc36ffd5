package dev.typedoutbox.rabbit;

import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection with its blocked state. It never recovers by itself: what is unconfirmed when it ends is unknown, and the
 * client's recovery would confirm it by chance.
 */
final class RabbitConnection implements BlockedListener {
    private static final Logger LOG = LoggerFactory.getLogger(RabbitConnection.class);
    private static final int CLOSE_TIMEOUT_MILLIS = 2_000;

    private final Connection connection;
    private final @Nullable Socket socket;
    private final Set<Runnable> blockedListeners = new CopyOnWriteArraySet<>();
    private boolean blocked;

    private RabbitConnection(Connection connection, @Nullable Socket socket) {
        this.connection = connection;
        this.socket = socket;
        connection.addBlockedListener(this);
        connection.addShutdownListener(cause -> wakeAll());
    }

    static RabbitConnection open(ConnectionFactory settings, String name) throws IOException, TimeoutException {
        ConnectionFactory factory = ClientSettings.bounded(settings);
        if (factory.getSocketFactory() == null && !factory.isSSL()) {
            factory.setSocketFactory(new GatheringSocket.Factory());
        }
        AtomicReference<@Nullable Socket> socket = new AtomicReference<>();
        factory.setSocketConfigurator(settings.getSocketConfigurator().andThen(socket::set));
        return new RabbitConnection(factory.newConnection(name), socket.get());
    }

    boolean isOpen() {
        return connection.isOpen();
    }

    int frameMax() {
        return connection.getFrameMax();
    }

    Channel createChannel() throws IOException {
        Channel channel = connection.createChannel();
        if (channel == null) {
            throw new NoChannelLeftException();
        }
        return channel;
    }

    /** What is written may wait for more until the end, and is sent then at the latest. */
    void inOneBurst(GatheringSocket.Writing writing) throws IOException {
        if (socket instanceof GatheringSocket gathering) {
            gathering.inOneBurst(writing);
        } else {
            writing.run();
        }
    }

    /** Calls the listener when the broker blocks this connection, at once if it has. */
    void onBlocked(Runnable listener) {
        blockedListeners.add(listener);
        if (isBlocked()) {
            listener.run();
        }
    }

    synchronized boolean isBlocked() {
        return blocked;
    }

    void offBlocked(Runnable listener) {
        blockedListeners.remove(listener);
    }

    @Override
    public void handleBlocked(String reason) {
        synchronized (this) {
            blocked = true;
        }
        LOG.atWarn().addKeyValue("reason", reason).log("RabbitMQ blocks its publishers");
        blockedListeners.forEach(Runnable::run);
    }

    @Override
    public void handleUnblocked() {
        synchronized (this) {
            blocked = false;
        }
        LOG.info("RabbitMQ takes messages again");
        wakeAll();
    }

    private synchronized void wakeAll() {
        notifyAll();
    }

    /** Waits until the connection is not blocked; false if it still is. */
    synchronized boolean awaitUnblocked(Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        while (blocked && connection.isOpen()) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return false;
            }
            wait(left);
        }
        return true;
    }

    /** Cuts the connection at once. A write that waits for a broker which does not read ends only with its socket. */
    void cut() {
        Socket open = socket;
        if (open != null) {
            try {
                // Without this, a TLS socket waits for the very write that it is to end.
                open.setSoLinger(true, 0);
                open.close();
            } catch (IOException e) {
                LOG.debug("socket could not be closed", e);
            }
        }
        connection.abort(1);
    }

    void close() {
        connection.abort(CLOSE_TIMEOUT_MILLIS);
    }
}
