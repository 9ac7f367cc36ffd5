package dev.typedoutbox.rabbit;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The connection that the channels of a consumer share; whoever needs it first after it was lost opens it again. */
final class ConsumerConnection implements AutoCloseable {
    private static final String NAME = "typed-outbox consumer";
    private static final int CLOSE_TIMEOUT_MILLIS = 2_000;

    private final ConnectionFactory factory;
    private final DeadLetterRoute deadLetters;
    private volatile @Nullable Connection connection;
    private volatile boolean closed;

    ConsumerConnection(ConnectionFactory settings, DeadLetterRoute deadLetters) {
        this.deadLetters = deadLetters;
        this.factory = ClientSettings.bounded(settings);
    }

    synchronized Channel createChannel() throws IOException, TimeoutException {
        closeIfClosedMeanwhile();
        Connection open = connection;
        if (open == null || !open.isOpen()) {
            open = factory.newConnection(NAME);
            connection = open;
            deadLetters.check(open);
        }
        closeIfClosedMeanwhile();
        Channel channel = open.createChannel();
        if (channel == null) {
            throw new NoChannelLeftException();
        }
        return channel;
    }

    /** {@link #close} does not wait for whoever is opening, so who has opened closes. */
    private void closeIfClosedMeanwhile() throws IOException {
        if (closed) {
            close();
            throw new IOException("the consumer was closed");
        }
    }

    String address() {
        return ClientSettings.address(factory);
    }

    /** Does not wait for somebody who is opening it, and who closes it then. */
    @Override
    public void close() {
        closed = true;
        Connection open = connection;
        if (open != null) {
            open.abort(CLOSE_TIMEOUT_MILLIS);
        }
    }
}
