package dev.typedoutbox.benchmark.peers.modulith;

import org.springframework.amqp.rabbit.core.RabbitMessagingTemplate;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.messaging.Message;

/**
 * Waits for the broker's confirm, on the way that Spring AMQP's documentation gives for confirms of type {@code simple}
 * ({@code invoke} and {@code waitForConfirmsOrDie}). Spring Modulith does not do it on its own: it takes a publication for
 * complete when the message has been handed to the client.
 */
final class ConfirmedMessagingTemplate extends RabbitMessagingTemplate {
    private static final long CONFIRM_TIMEOUT_MILLIS = 30_000;

    ConfirmedMessagingTemplate(RabbitTemplate rabbitTemplate) {
        super(rabbitTemplate);
    }

    @Override
    protected void doSend(String exchange, String routingKey, Message<?> message) {
        getRabbitTemplate().invoke(channel -> {
            super.doSend(exchange, routingKey, message);
            channel.waitForConfirmsOrDie(CONFIRM_TIMEOUT_MILLIS);
            return true;
        });
    }
}
