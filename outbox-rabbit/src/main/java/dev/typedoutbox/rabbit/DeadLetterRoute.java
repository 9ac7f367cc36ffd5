package dev.typedoutbox.rabbit;

import com.rabbitmq.client.Connection;
import java.io.IOException;

/** Where a message goes that cannot be applied. Safe for use by several threads. */
interface DeadLetterRoute extends AutoCloseable {
    /** Nobody said where to: such a message stays unacknowledged, so that nothing is lost. */
    DeadLetterRoute NONE = new DeadLetterRoute() {
        @Override
        public boolean isThere() {
            return false;
        }

        @Override
        public void take(Received message, Deliveries deliveries) {
            throw new IllegalStateException("a dead letter must have a way to go (was none)");
        }
    };

    /** The queue has a dead-letter exchange of its own, and RabbitMQ does it all. */
    DeadLetterRoute OF_THE_QUEUE = (message, deliveries) -> deliveries.reject(message.tag());

    /** Whether it leads anywhere. */
    default boolean isThere() {
        return true;
    }

    /**
     * Gives the message away and settles its delivery.
     *
     * @throws IOException if it could not be given away; its delivery is as it was
     */
    void take(Received message, Deliveries deliveries) throws IOException, InterruptedException;

    /** Warns if it does not lead anywhere at the moment. */
    default void check(Connection connection) {}

    @Override
    default void close() {}
}
