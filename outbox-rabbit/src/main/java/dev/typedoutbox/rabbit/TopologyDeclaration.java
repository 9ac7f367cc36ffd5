package dev.typedoutbox.rabbit;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeoutException;

/** Declares one part after the other on a connection of its own, and explains which one the broker did not take and why. */
final class TopologyDeclaration {
    private static final String CONNECTION_NAME = "typed-outbox topology";
    /** RabbitMQ's word for what exists otherwise than it is declared. */
    private static final String MISMATCH = "inequivalent";

    private static final int CLOSE_TIMEOUT_MILLIS = 2_000;

    private final ConnectionFactory factory;

    TopologyDeclaration(ConnectionFactory settings) {
        this.factory = ClientSettings.bounded(settings);
    }

    void run(QueueTopology topology) {
        Connection connection = connect();
        try {
            BrokerProduct product = BrokerProduct.of(connection);
            if (topology.isQuorum() && !product.hasSafeDeadLettering()) {
                throw new TopologyRefusedException(
                        "broker must be RabbitMQ 3.10 or newer for the quorum queue \"" + topology.queue() + "\" (was "
                                + product + "): use another broker, or classic()",
                        null);
            }
            declare(connection, topology.parts());
        } finally {
            connection.abort(CLOSE_TIMEOUT_MILLIS);
        }
    }

    private Connection connect() {
        try {
            return factory.newConnection(CONNECTION_NAME);
        } catch (IOException | TimeoutException | RuntimeException e) {
            throw new BrokerUnavailableException(ClientSettings.unreachable(factory, e), e);
        }
    }

    private void declare(Connection connection, List<TopologyPart> parts) {
        try {
            Channel channel = connection.createChannel();
            if (channel == null) {
                throw new NoChannelLeftException();
            }
            for (TopologyPart part : parts) {
                declare(channel, part);
            }
        } catch (IOException | ShutdownSignalException e) {
            throw new BrokerUnavailableException(
                    "RabbitMQ at " + ClientSettings.address(factory) + " went away before all was declared: "
                            + Reasons.of(e) + "; declare again",
                    e);
        }
    }

    private void declare(Channel channel, TopologyPart part) throws IOException {
        try {
            part.step().on(channel);
        } catch (IOException | ShutdownSignalException e) {
            OptionalInt code = Reasons.replyCode(e);
            if (code.isEmpty() || isPassing(code.getAsInt())) {
                throw e;
            }
            String reason = Reasons.of(e);
            throw new TopologyRefusedException(
                    part.name() + " must be " + part.wanted() + " (was refused: " + reason + "): "
                            + advice(part, code.getAsInt(), reason),
                    e);
        }
    }

    /** The broker shuts down, or something failed in it: nothing is wrong with what was asked of it. */
    private static boolean isPassing(int code) {
        return code == AMQP.CONNECTION_FORCED || code == AMQP.INTERNAL_ERROR;
    }

    private String advice(TopologyPart part, int code, String reason) {
        if (code == AMQP.ACCESS_REFUSED) {
            return "give user \"" + factory.getUsername() + "\" in virtual host \"" + factory.getVirtualHost()
                    + "\" the rights to " + part.rights();
        }
        // Limits and arguments that a version does not know have the same code, but concern nothing that exists.
        if (code == AMQP.PRECONDITION_FAILED && reason.contains(MISMATCH)) {
            return "it exists otherwise, and is left as it is; build the topology that exists, choose another name, or"
                    + " delete it once it is empty and nobody uses it";
        }
        return "correct what the broker names, and declare again";
    }
}
