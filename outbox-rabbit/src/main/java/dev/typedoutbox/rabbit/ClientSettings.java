package dev.typedoutbox.rabbit;

import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.impl.DefaultExceptionHandler;
import java.util.concurrent.ThreadFactory;

/** What every connection of this library makes of its user's settings, and says of them. */
final class ClientSettings {
    private static final int LONGEST_RPC_MILLIS = 10_000;
    private static final int LONGEST_HEARTBEAT_SECONDS = 10;

    private ClientSettings() {}

    /** The same settings with all waits bounded, and without the client's own recovery. */
    static ConnectionFactory bounded(ConnectionFactory settings) {
        ConnectionFactory factory = settings.clone();
        factory.setAutomaticRecoveryEnabled(false);
        factory.setTopologyRecoveryEnabled(false);
        factory.setThreadFactory(daemons(settings.getThreadFactory()));
        if (factory.getExceptionHandler().getClass() == DefaultExceptionHandler.class) {
            factory.setExceptionHandler(new QuietExceptionHandler());
        }
        factory.setChannelRpcTimeout(shorter(factory.getChannelRpcTimeout(), LONGEST_RPC_MILLIS));
        factory.setConnectionTimeout(shorter(factory.getConnectionTimeout(), LONGEST_RPC_MILLIS));
        factory.setHandshakeTimeout(shorter(factory.getHandshakeTimeout(), LONGEST_RPC_MILLIS));
        factory.setRequestedHeartbeat(shorter(factory.getRequestedHeartbeat(), LONGEST_HEARTBEAT_SECONDS));
        return factory;
    }

    static String unreachable(ConnectionFactory settings, Throwable failure) {
        return "no connection to RabbitMQ at " + address(settings) + " as user " + settings.getUsername() + ": "
                + Reasons.of(failure);
    }

    static String address(ConnectionFactory factory) {
        return factory.getHost() + ":" + factory.getPort() + " (virtual host " + factory.getVirtualHost() + ")";
    }

    /** The client's threads are ordinary ones by default, and a connection that is left open would keep the JVM alive. */
    private static ThreadFactory daemons(ThreadFactory factory) {
        return task -> {
            Thread thread = factory.newThread(task);
            thread.setDaemon(true);
            return thread;
        };
    }

    private static int shorter(int setting, int longest) {
        return setting == 0 ? longest : Math.min(setting, longest);
    }
}
