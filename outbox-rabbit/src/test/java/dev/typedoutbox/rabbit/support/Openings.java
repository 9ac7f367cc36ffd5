package dev.typedoutbox.rabbit.support;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.NoOpMetricsCollector;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the connections and channels that a client opens, the channels that end, and the messages that it sends. */
public class Openings extends NoOpMetricsCollector {
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger channels = new AtomicInteger();
    private final AtomicInteger closedChannels = new AtomicInteger();
    private final AtomicInteger messages = new AtomicInteger();

    public int connections() {
        return connections.get();
    }

    public int channels() {
        return channels.get();
    }

    public int closedChannels() {
        return closedChannels.get();
    }

    public int messages() {
        return messages.get();
    }

    @Override
    public void newConnection(Connection connection) {
        connections.incrementAndGet();
    }

    @Override
    public void newChannel(Channel channel) {
        channels.incrementAndGet();
        channel.addShutdownListener(cause -> closedChannels.incrementAndGet());
    }

    @Override
    public void basicPublish(Channel channel) {
        messages.incrementAndGet();
    }
}
