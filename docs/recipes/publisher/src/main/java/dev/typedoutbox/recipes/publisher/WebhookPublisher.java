package dev.typedoutbox.recipes.publisher;

import dev.typedoutbox.relay.EventPublisher;
import dev.typedoutbox.relay.PublisherSession;
import dev.typedoutbox.relay.PublisherUnavailableException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Posts each event to a receiver, in a request of its own. Safe for use by several threads. */
final class WebhookPublisher implements EventPublisher {
    private static final int CONNECT_MILLIS = 5_000;
    private static final Duration GRACE = Duration.ofMillis(500);

    /** Its threads are daemons, and end when nothing has the client any more. */
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    private final Set<WebhookSession> sessions = ConcurrentHashMap.newKeySet();
    private final URI receiver;
    private final Duration grace;
    private volatile boolean closed;

    /**
     * Connects to nothing yet.
     *
     * @throws IllegalArgumentException if it is no address of HTTP
     */
    WebhookPublisher(URI receiver) {
        this(receiver, GRACE);
    }

    /**
     * The same, with another grace.
     *
     * @param grace how long the other requests in flight may still take when one has lost its connection
     */
    WebhookPublisher(URI receiver, Duration grace) {
        this.receiver = WebhookRequest.requireHttp(receiver);
        this.grace = grace;
    }

    @Override
    public PublisherSession open() {
        requireOpen();
        requireReachable();
        WebhookSession session = new WebhookSession(client, receiver, grace, sessions::remove);
        sessions.add(session);
        if (closed) {
            // close() may have come before the session was among those that it closes.
            session.close();
        }
        requireOpen();
        return session;
    }

    private void requireOpen() {
        if (closed) {
            throw new PublisherUnavailableException("the publisher of webhooks is closed", null);
        }
    }

    private void requireReachable() {
        int usual = receiver.getScheme().equalsIgnoreCase("https") ? 443 : 80;
        int port = receiver.getPort() < 0 ? usual : receiver.getPort();
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(receiver.getHost(), port), CONNECT_MILLIS);
        } catch (IOException e) {
            // Not the whole address: the path of a webhook is often its password.
            throw new PublisherUnavailableException(receiver.getHost() + ":" + port + " cannot be reached: " + e, e);
        }
    }

    @Override
    public void close() {
        closed = true;
        sessions.forEach(WebhookSession::close);
    }
}
