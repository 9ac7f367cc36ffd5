package dev.typedoutbox.rabbit;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.impl.DefaultExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Leaves it to the relay and the consumer to say, once, that a connection was lost. */
final class QuietExceptionHandler extends DefaultExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(QuietExceptionHandler.class);

    @Override
    public void handleUnexpectedConnectionDriverException(Connection connection, Throwable exception) {
        LOG.debug("the client lost its connection", exception);
    }
}
