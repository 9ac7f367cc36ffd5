package dev.typedoutbox.rabbit.support;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.NoOpMetricsCollector;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the connections and channels that a client opens, and the messages that it sends. */
public final class Openings extends NoOpMetricsCollector {
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger channels = new AtomicInteger();
    private final AtomicInteger messages = new AtomicInteger();

    public int connections() {
        return connections.get();
    }

    public int channels() {
        return channels.get();
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
    }

    @Override
    public void basicPublish(Channel channel) {
        messages.incrementAndGet();
    }
}
