package dev.typedoutbox.rabbit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.BuiltinExchangeType;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.Applied;
import dev.typedoutbox.consumer.EventConsumer;
import dev.typedoutbox.rabbit.RabbitConsumer;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.rabbit.support.Events;
import dev.typedoutbox.relay.RetryPolicy;
import dev.typedoutbox.servers.AmqpServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RabbitConsumerTest {
    private final Broker broker = Broker.shared();
    private final String exchange = broker.exchange();
    private final String queue = broker.queue(exchange, "#");
    private final List<OutboxEvent> applied = new CopyOnWriteArrayList<>();

    @Test
    void eventsAreAppliedInTheQueuesOrderAndThenAcknowledged() {
        List<OutboxEvent> events = Events.many(500, "order.created");
        broker.publish(exchange, events);
        try (RabbitConsumer consumer = started(this::apply)) {
            await().until(() -> applied.size() == 500);
        }
        assertThat(applied).isEqualTo(events);
        assertThat(broker.take(queue)).isEmpty();
    }

    @Test
    void eventThatFailsIsDeliveredAgainAfterTheDelayAndKeepsItsPlace() {
        List<OutboxEvent> events = Events.many(2, "order.created");
        broker.publish(exchange, events);
        List<Long> tries = new CopyOnWriteArrayList<>();
        try (RabbitConsumer consumer = started(event -> {
            if (event.equals(events.get(0))) {
                tries.add(System.nanoTime());
                if (tries.size() < 3) {
                    throw new IllegalStateException("not yet");
                }
            }
            return apply(event);
        })) {
            await().until(() -> applied.size() == 2);
        }
        assertThat(tries).hasSize(3);
        assertThat(Duration.ofNanos(tries.get(1) - tries.get(0))).isGreaterThanOrEqualTo(Duration.ofMillis(50));
        assertThat(broker.take(queue)).isEmpty();
    }

    @Test
    void laterEventsDoNotOvertakeOneThatFails() {
        List<OutboxEvent> events = Events.many(50, "order.created");
        broker.publish(exchange, events);
        AtomicInteger failures = new AtomicInteger(3);
        try (RabbitConsumer consumer = started(event -> {
            if (event.equals(events.get(1)) && failures.getAndDecrement() > 0) {
                throw new IllegalStateException("not yet");
            }
            return apply(event);
        })) {
            await().until(() -> applied.size() == 50);
        }
        assertThat(applied).isEqualTo(events);
    }

    /** A consumer that gave a failing event back to the queue would lose it at the queue's limit of deliveries. */
    @Test
    void eventThatFailsMoreOftenThanItsQueueDeliversIsNotLost() {
        assumeTrue(broker.server().isRabbitMq(), AmqpServer.HOW_TO_GET_RABBITMQ);
        String limited = broker.queue(exchange, "#", Map.of("x-queue-type", "quorum", "x-delivery-limit", 3));
        List<OutboxEvent> events = Events.many(2, "order.created");
        broker.publish(exchange, events);
        AtomicInteger failures = new AtomicInteger(10);
        try (RabbitConsumer consumer = RabbitConsumer.builder(broker.factory(), limited, event -> {
                    if (failures.getAndDecrement() > 0) {
                        throw new IllegalStateException("not yet");
                    }
                    return apply(event);
                })
                .retryPolicy(soon(20))
                .build()) {
            consumer.start();
            await().until(() -> applied.size() == 2);
        }
        assertThat(applied).isEqualTo(events);
    }

    @Test
    void errorInAHandlerDoesNotEndTheConsumer() {
        broker.publish(exchange, Events.many(2, "order.created"));
        AtomicInteger errors = new AtomicInteger(1);
        try (RabbitConsumer consumer = started(event -> {
            if (errors.getAndDecrement() > 0) {
                throw new StackOverflowError("on purpose");
            }
            return apply(event);
        })) {
            await().until(() -> applied.size() == 2);
        }
        assertThat(broker.take(queue)).isEmpty();
    }

    @Test
    void closedConsumerCannotBeStarted() {
        RabbitConsumer consumer =
                RabbitConsumer.builder(broker.factory(), queue, this::apply).build();
        consumer.close();
        assertThatThrownBy(consumer::start).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void messageThatCanNeverBeAnEventGoesToTheDeadLetterExchange() {
        assumeTrue(broker.server().isRabbitMq(), AmqpServer.HOW_TO_GET_RABBITMQ);
        String dead = broker.exchange();
        String deadQueue = broker.queue(dead, "#");
        String ownQueue = broker.queue(exchange, "x", Map.of("x-dead-letter-exchange", dead));
        broker.run(channel -> {
            channel.basicPublish(exchange, "x", new BasicProperties(), "no id".getBytes(StandardCharsets.UTF_8));
            channel.basicPublish(
                    exchange,
                    "x",
                    new BasicProperties.Builder()
                            .messageId(UUID.randomUUID().toString())
                            .build(),
                    "{}".getBytes(StandardCharsets.UTF_8));
            return true;
        });
        try (RabbitConsumer consumer = RabbitConsumer.builder(broker.factory(), ownQueue, this::apply)
                .rejectDeadLetters()
                .build()) {
            consumer.start();
            await().until(() -> applied.size() == 1);
            await().untilAsserted(() -> assertThat(broker.take(deadQueue)).hasSize(1));
        }
    }

    @Test
    void closeInTheMidstOfAnEventLeavesItInTheQueue() throws InterruptedException {
        broker.publish(exchange, Events.many(1, "order.created"));
        CountDownLatch handling = new CountDownLatch(1);
        RabbitConsumer consumer = RabbitConsumer.builder(broker.factory(), queue, event -> {
                    handling.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    throw new IllegalStateException("interrupted");
                })
                .closeTimeout(Duration.ofMillis(100))
                .build();
        consumer.start();
        handling.await();
        consumer.close();
        await().untilAsserted(() -> assertThat(broker.take(queue)).hasSize(1));
    }

    @Test
    void queueThatIsDeclaredLaterIsConsumedThen() {
        String later = "queue-" + UUID.randomUUID();
        try (RabbitConsumer consumer =
                RabbitConsumer.builder(broker.factory(), later, this::apply).build()) {
            consumer.start();
            broker.run(channel -> {
                channel.exchangeDeclare(exchange, BuiltinExchangeType.TOPIC, true);
                channel.queueDeclare(later, true, false, false, null);
                return channel.queueBind(later, exchange, "#");
            });
            broker.publish(exchange, Events.many(1, "order.created"));
            await().until(() -> applied.size() == 1);
        }
    }

    @Test
    void badSettingsAreNamed() {
        RabbitConsumer.Builder builder = RabbitConsumer.builder(broker.factory(), queue, this::apply);
        assertThatThrownBy(() -> builder.prefetch(0)).hasMessage("prefetch must be between 1 and 65535 (was 0)");
        assertThatThrownBy(() -> builder.batchSize(65_536))
                .hasMessage("batchSize must be between 1 and 65535 (was 65536)");
        assertThatThrownBy(() -> builder.channels(257)).hasMessage("channels must be between 1 and 256 (was 257)");
        assertThatThrownBy(() -> builder.workers(65)).hasMessage("workers must be between 1 and 64 (was 65)");
        assertThatThrownBy(() -> builder.batchWait(Duration.ofSeconds(11)))
                .hasMessage("batchWait must be between PT0S and PT10S (was PT11S)");
        assertThatThrownBy(() -> builder.deadLetterExchange(""))
                .hasMessage("deadLetterExchange must be 1 to 255 bytes in UTF-8 (was 0)");
        assertThatThrownBy(() -> builder.prefetch(99).build())
                .hasMessage("prefetch must be at least batchSize 100 (was 99)");
        assertThatThrownBy(() -> builder.closeTimeout(Duration.ofSeconds(-1)))
                .hasMessage("closeTimeout must be between PT0.001S and PT24H (was PT-1S)");
    }

    private Applied apply(OutboxEvent event) {
        applied.add(event);
        return Applied.APPLIED;
    }

    private static RetryPolicy soon(int millis) {
        return new RetryPolicy(8, Duration.ofMillis(millis), Duration.ofMillis(millis));
    }

    private RabbitConsumer started(EventConsumer eventConsumer) {
        RabbitConsumer consumer = RabbitConsumer.builder(broker.factory(), queue, eventConsumer)
                .retryPolicy(soon(50))
                .build();
        consumer.start();
        return consumer;
    }
}
