package dev.typedoutbox.rabbit.crash;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.NoOpMetricsCollector;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the connections and channels that a client opens. */
final class Openings extends NoOpMetricsCollector {
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger channels = new AtomicInteger();

    int connections() {
        return connections.get();
    }

    int channels() {
        return channels.get();
    }

    @Override
    public void newConnection(Connection connection) {
        connections.incrementAndGet();
    }

    @Override
    public void newChannel(Channel channel) {
        channels.incrementAndGet();
    }
}
