package dev.typedoutbox.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ShutdownSignalException;
import dev.typedoutbox.relay.PublishOutcome;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A channel in confirm mode that carries one group of messages at a time. Its listeners only note what the broker said:
 * nothing slow runs on the client's threads.
 */
final class ConfirmChannel {
    private static final Logger LOG = LoggerFactory.getLogger(ConfirmChannel.class);
    private static final PublishOutcome NACKED = PublishOutcome.nacked("the broker nacked the message");

    private final RabbitConnection connection;
    private final Channel channel;
    private volatile @Nullable PendingConfirms pending;

    ConfirmChannel(RabbitConnection connection) throws IOException {
        this.connection = connection;
        this.channel = connection.createChannel();
        channel.addReturnListener(this::returned);
        channel.addConfirmListener(
                (tag, multiple) -> confirmed(tag, multiple, PublishOutcome.confirmed()),
                (tag, multiple) -> confirmed(tag, multiple, NACKED));
        channel.addShutdownListener(this::shutDown);
        try {
            channel.confirmSelect();
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    /** Whether the broker closed this channel, and only it, because of something that was sent on it. */
    boolean wasRefused() {
        ShutdownSignalException cause = channel.getCloseReason();
        return cause != null && Reasons.isChannelRefusal(cause);
    }

    String endReason() {
        ShutdownSignalException cause = channel.getCloseReason();
        return cause == null ? "the channel is open" : Reasons.of(cause);
    }

    /** Begins a group; the verdicts of an earlier one that are still to come are of no interest any more. */
    void track(PendingConfirms confirms) {
        pending = confirms;
        if (!channel.isOpen()) {
            confirms.end(endReason());
        }
    }

    /** What is sent meanwhile may go out together at the end. */
    void inOneBurst(GatheringSocket.Writing sending) throws IOException {
        connection.inOneBurst(sending);
    }

    /** The client counts a message before it writes it, so a channel on which this threw is of no use any more. */
    void send(PendingConfirms confirms, int index, Destination destination, BasicProperties properties, byte[] body)
            throws IOException {
        confirms.sending(index, channel.getNextPublishSeqNo());
        channel.basicPublish(destination.exchange(), destination.routingKey(), true, properties, body);
    }

    void close() {
        try {
            channel.abort();
        } catch (IOException e) {
            LOG.debug("channel could not be closed", e);
        }
    }

    private void returned(Return message) {
        PendingConfirms confirms = pending;
        String messageId = message.getProperties().getMessageId();
        if (confirms != null && messageId != null) {
            confirms.returned(
                    messageId,
                    "unroutable: " + message.getReplyCode() + " " + message.getReplyText() + " (exchange \""
                            + message.getExchange() + "\", routing key \"" + message.getRoutingKey() + "\")");
        }
    }

    private void confirmed(long tag, boolean multiple, PublishOutcome outcome) {
        PendingConfirms confirms = pending;
        if (confirms != null) {
            confirms.confirmed(tag, multiple, outcome);
        }
    }

    private void shutDown(ShutdownSignalException cause) {
        PendingConfirms confirms = pending;
        if (confirms != null) {
            confirms.end(Reasons.of(cause));
        }
    }
}
