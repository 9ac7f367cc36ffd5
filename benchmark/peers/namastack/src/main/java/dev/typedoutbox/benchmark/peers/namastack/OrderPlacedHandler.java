package dev.typedoutbox.benchmark.peers.namastack;

import dev.typedoutbox.benchmark.peers.publisher.ConfirmedPublisher;
import io.namastack.outbox.handler.OutboxRecordMetadata;
import io.namastack.outbox.handler.OutboxTypedHandler;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Publishes one record and returns when the broker has confirmed it, as the library's own module for RabbitMQ does
 * ("RabbitOutboxPublisher blocks until RabbitMQ confirms the publish"), but without the layers of Spring AMQP.
 */
final class OrderPlacedHandler implements OutboxTypedHandler<OrderPlaced> {
    private volatile @Nullable ConfirmedPublisher publisher;

    void use(@Nullable ConfirmedPublisher newPublisher) {
        publisher = newPublisher;
    }

    @Override
    public void handle(OrderPlaced event, OutboxRecordMetadata metadata) {
        ConfirmedPublisher current = publisher;
        if (current == null) {
            throw new IllegalStateException("contender must be started");
        }
        try {
            current.publish(event.type(), event.payload());
        } catch (IOException | TimeoutException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
