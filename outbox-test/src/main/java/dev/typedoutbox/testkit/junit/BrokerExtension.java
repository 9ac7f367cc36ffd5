package dev.typedoutbox.testkit.junit;

import dev.typedoutbox.servers.AmqpServer;
import java.net.URI;
import java.util.UUID;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A real AMQP 0-9-1 broker, for tests with JUnit 5. To be registered with {@code @RegisterExtension}.
 *
 * <p>It is the one of this JVM, started when it is first needed: that of the environment variable
 * {@value AmqpServer#URI_VARIABLE}; else a node of its own, started by the script that {@value AmqpServer#SERVER_VARIABLE}
 * names; else RabbitMQ in a container, where a Docker engine answers; else a node of its own from
 * an installed {@code rabbitmq-server}; else Apache Qpid Broker-J inside the JVM, which needs nothing installed, has the same
 * protocol, and knows neither quorum queues nor streams. The environment variable {@value AmqpServer#RABBITMQ_VARIABLE}
 * forbids the last when it is {@code required}, as it should be where the tests must not be skipped.
 *
 * <p>All tests of the JVM share the broker: names from {@link #uniqueName} keep them apart. A test that wants to stop a
 * broker starts one with {@code AmqpServer.start()}.
 *
 * <p>Needs {@code dev.typedoutbox:servers} on the class path of the tests. Safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class BrokerExtension implements BeforeAllCallback, BeforeEachCallback {
    private final boolean rabbitMqNeeded;

    private BrokerExtension(boolean rabbitMqNeeded) {
        this.rabbitMqNeeded = rabbitMqNeeded;
    }

    /**
     * Any broker of this protocol.
     *
     * @return the extension
     */
    public static BrokerExtension create() {
        return new BrokerExtension(false);
    }

    /**
     * RabbitMQ itself. Where there is none the tests are skipped, with a line that tells how to get it.
     *
     * @return the extension
     */
    public static BrokerExtension rabbitMq() {
        return new BrokerExtension(true);
    }

    /**
     * Where the broker listens, as {@code ConnectionFactory.setUri} takes it.
     *
     * @return {@code amqp://user:password@host:port/vhost}
     * @throws IllegalStateException if the broker does not start, or if RabbitMQ is required and there is none
     */
    public URI uri() {
        return server().uri();
    }

    /**
     * The host of {@link #uri}, for what takes its parts, such as Spring.
     *
     * @return the name or the address
     * @throws IllegalStateException if the broker does not start, or if RabbitMQ is required and there is none, or if the host
     *     of its URI is none that Java knows, such as {@code rabbit_mq}
     */
    public String host() {
        return parts().host();
    }

    /**
     * The port of {@link #uri}.
     *
     * @return the port; where the URI has none, the one that its scheme means
     * @throws IllegalStateException if the broker does not start, or if RabbitMQ is required and there is none
     */
    public int port() {
        return parts().port();
    }

    /**
     * The user of {@link #uri}.
     *
     * @return the user's name, {@code guest} where the URI has none
     * @throws IllegalStateException if the broker does not start, or if RabbitMQ is required and there is none
     */
    public String user() {
        return parts().user();
    }

    /**
     * The password of {@link #user}.
     *
     * @return the password, {@code guest} where the URI has none, as the client has it
     * @throws IllegalStateException if the broker does not start, or if RabbitMQ is required and there is none
     */
    public String password() {
        return parts().password();
    }

    /**
     * The virtual host of {@link #uri}.
     *
     * @return its name as the broker knows it, {@code /} where the URI has none
     * @throws IllegalStateException if the broker does not start, or if RabbitMQ is required and there is none
     */
    public String virtualHost() {
        return parts().virtualHost();
    }

    private AmqpUri parts() {
        return new AmqpUri(uri());
    }

    /**
     * Whether the broker is RabbitMQ.
     *
     * @return false if it just has the same protocol
     * @throws IllegalStateException if the broker does not start, or if RabbitMQ is required and there is none
     */
    public boolean isRabbitMq() {
        return server().isRabbitMq();
    }

    /**
     * A name that nobody else has, for an exchange or a queue.
     *
     * @param prefix its start
     * @return the prefix, a hyphen and 32 letters and digits
     */
    public String uniqueName(String prefix) {
        return prefix + "-" + UUID.randomUUID().toString().replace("-", "");
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        skipWithoutRabbitMq();
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        skipWithoutRabbitMq();
    }

    private void skipWithoutRabbitMq() {
        if (rabbitMqNeeded) {
            Assumptions.assumeTrue(isRabbitMq(), AmqpServer.HOW_TO_GET_RABBITMQ);
        }
    }

    private static AmqpServer server() {
        try {
            return AmqpServer.shared();
        } catch (NoClassDefFoundError e) {
            throw Missing.servers(e);
        }
    }
}
