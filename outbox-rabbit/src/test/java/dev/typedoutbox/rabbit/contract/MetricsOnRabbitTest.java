package dev.typedoutbox.rabbit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.Applied;
import dev.typedoutbox.consumer.EventConsumer;
import dev.typedoutbox.metrics.ConsumerMetrics;
import dev.typedoutbox.metrics.RelayMetrics;
import dev.typedoutbox.rabbit.GivenUpMessage;
import dev.typedoutbox.rabbit.RabbitConsumer;
import dev.typedoutbox.rabbit.RabbitPublisher;
import dev.typedoutbox.rabbit.Routing;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.rabbit.support.Events;
import dev.typedoutbox.rabbit.support.OutboxDatabase;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import dev.typedoutbox.relay.RetryPolicy;
import dev.typedoutbox.servers.AmqpServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What the broker says is counted as what it is. */
class MetricsOnRabbitTest {
    private static final RetryPolicy ONCE = new RetryPolicy(1, Duration.ofMillis(1), Duration.ofMillis(1));

    private final Broker broker = Broker.shared();
    private final String exchange = broker.exchange();
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final ConsumerMetrics metrics = ConsumerMetrics.of(registry, "shipping");
    private final List<GivenUpMessage> givenUp = new CopyOnWriteArrayList<>();

    @Test
    void returnedEventsAreReturns() throws InterruptedException {
        broker.queue(exchange, "order.paid");

        relayOnce("order.paid", "nobody.wants.it", "nobody.wants.it");

        assertThat(count("outbox.publish.returns")).isEqualTo(2);
        assertThat(count("outbox.publish.nacks")).isZero();
        assertThat(failed("nobody.wants.it")).isEqualTo(2);
        assertThat(count("outbox.events.published")).isEqualTo(1);
        assertThat(count("outbox.events.dead.lettered")).isEqualTo(2);
    }

    @Test
    void eventsThatAFullQueueRejectsAreNacks() throws InterruptedException {
        assumeTrue(broker.server().isRabbitMq(), AmqpServer.HOW_TO_GET_RABBITMQ);
        broker.queue(exchange, "order.paid", Map.of("x-max-length", 1, "x-overflow", "reject-publish"));
        try (OutboxDatabase database = OutboxDatabase.create()) {
            database.write(50, 50, "order.paid");
            relayOnce(database);
        }
        assertThat(count("outbox.publish.nacks")).isBetween(1.0, 49.0);
        assertThat(count("outbox.publish.nacks")).isEqualTo(failed("order.paid"));
        assertThat(count("outbox.publish.returns")).isZero();
    }

    @Test
    void deadLetterOfAConsumerIsToldAfterItArrived() {
        String queue = broker.queue(exchange, "#");
        String dead = broker.exchange();
        String deadQueue = broker.queue(dead, "#");
        OutboxEvent bad = Events.of("order.bad");
        broker.publish(exchange, List.of(bad, Events.of("order.good")));
        sendNoEvent();
        Consumer<GivenUpMessage> listener = message -> {
            metrics.deadLettered();
            givenUp.add(message);
            throw new IllegalStateException("on purpose");
        };
        try (RabbitConsumer consumer =
                builder(queue).deadLetterExchange(dead).onDeadLetter(listener).build()) {
            consumer.start();
            await().until(() -> count("outbox.consumer.dead.lettered") == 2);
            assertThat(broker.ready(deadQueue)).isEqualTo(2);
            await().until(() -> count("outbox.consumer.applied") == 1);
        }
        assertThat(givenUp)
                .contains(new GivenUpMessage(queue, bad, "java.lang.IllegalStateException: no such customer", 1))
                .anySatisfy(message -> {
                    assertThat(message.event()).isNull();
                    assertThat(message.reason()).isEqualTo("message-id must be a UUID (was \"17\")");
                    assertThat(message.failures()).isZero();
                });
        assertThat(count("outbox.consumer.failed")).isEqualTo(1);
        assertThat(broker.take(queue)).isEmpty();
    }

    @Test
    void deadLetterThatIsRejectedIsTold() {
        String dead = broker.exchange();
        String deadQueue = broker.queue(dead, "#");
        String queue = broker.queue(exchange, "#", Map.of("x-dead-letter-exchange", dead));
        OutboxEvent bad = Events.of("order.bad");
        broker.publish(exchange, List.of(bad));
        try (RabbitConsumer consumer =
                builder(queue).rejectDeadLetters().onDeadLetter(givenUp::add).build()) {
            consumer.start();
            await().until(() -> broker.ready(deadQueue) == 1);
            await().until(() -> !givenUp.isEmpty());
        }
        assertThat(givenUp)
                .containsExactly(
                        new GivenUpMessage(queue, bad, "java.lang.IllegalStateException: no such customer", 1));
    }

    @Test
    void deadLetterThatCannotArriveIsNotTold() {
        String queue = broker.queue(exchange, "#");
        broker.publish(exchange, List.of(Events.of("order.bad")));
        try (RabbitConsumer consumer = builder(queue)
                .deadLetterExchange("no such exchange")
                .onDeadLetter(givenUp::add)
                .build()) {
            consumer.start();
            await().until(() -> count("outbox.consumer.failed") >= 2);
        }
        assertThat(givenUp).isEmpty();
    }

    private RabbitConsumer.Builder builder(String queue) {
        EventConsumer consumer = metrics.observe(event -> {
            if (event.eventType().equals("order.bad")) {
                throw new IllegalStateException("no such customer");
            }
            return Applied.APPLIED;
        });
        return RabbitConsumer.builder(broker.factory(), queue, consumer).retryPolicy(ONCE);
    }

    private void sendNoEvent() {
        broker.run(channel -> {
            channel.confirmSelect();
            channel.basicPublish(
                    exchange, "x", new BasicProperties.Builder().messageId("17").build(), new byte[0]);
            return channel.waitForConfirms();
        });
    }

    private void relayOnce(String... eventTypes) throws InterruptedException {
        try (OutboxDatabase database = OutboxDatabase.create()) {
            for (String eventType : eventTypes) {
                database.write(1, 1, eventType);
            }
            relayOnce(database);
        }
    }

    private void relayOnce(OutboxDatabase database) throws InterruptedException {
        RelayConfig config = RelayConfig.builder()
                .ordered(false)
                .retryPolicy(ONCE)
                .observer(RelayMetrics.of(registry, database.dataSource()))
                .build();
        try (RabbitPublisher publisher = RabbitPublisher.create(broker.factory(), Routing.toExchange(exchange))) {
            Relay.create(database.dataSource(), publisher, config).runOnce();
        }
    }

    private double failed(String eventType) {
        return registry.get("outbox.events.failed")
                .tag("event_type", eventType)
                .counter()
                .count();
    }

    private double count(String name) {
        return registry.get(name).counter().count();
    }
}
