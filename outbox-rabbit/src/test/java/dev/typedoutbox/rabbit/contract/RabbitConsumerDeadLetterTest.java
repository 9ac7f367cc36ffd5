package dev.typedoutbox.rabbit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.GetResponse;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.Applied;
import dev.typedoutbox.consumer.EventConsumer;
import dev.typedoutbox.rabbit.RabbitConsumer;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.rabbit.support.Events;
import dev.typedoutbox.relay.RetryPolicy;
import dev.typedoutbox.servers.AmqpServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What becomes of a message that cannot be applied. */
class RabbitConsumerDeadLetterTest {
    private static final RetryPolicy THREE_TIMES = new RetryPolicy(3, Duration.ofMillis(10), Duration.ofMillis(10));

    private final Broker broker = Broker.shared();
    private final String exchange = broker.exchange();
    private final String queue = broker.queue(exchange, "#");
    private final List<OutboxEvent> applied = new CopyOnWriteArrayList<>();
    private final AtomicInteger failures = new AtomicInteger();

    @Test
    void eventThatFailsTooOftenGoesToTheExchangeWithTheReasonAndTheNextOnesGoOn() {
        String dead = broker.exchange();
        String deadQueue = broker.queue(dead, "order.bad");
        OutboxEvent bad = Events.of("order.bad", Map.of("tenant", "acme"), "{\"a\": 1}");
        List<OutboxEvent> good = Events.many(2, "order.good");
        broker.publish(exchange, List.of(bad, good.get(0), good.get(1)));
        try (RabbitConsumer consumer = started(builder(failing("order.bad")).deadLetterExchange(dead))) {
            await().until(() -> applied.size() == 2);
        }
        assertThat(applied).isEqualTo(good);
        assertThat(failures).hasValue(3);
        assertThat(broker.take(queue)).isEmpty();
        GetResponse letter = only(deadQueue);
        assertThat(letter.getBody()).isEqualTo(bad.payload());
        assertThat(letter.getProps().getMessageId()).isEqualTo(bad.id().toString());
        assertThat(text(letter, "tenant")).isEqualTo("acme");
        assertThat(text(letter, "dead_letter_queue")).isEqualTo(queue);
        assertThat(text(letter, "dead_letter_failures")).isEqualTo("3");
        assertThat(text(letter, "dead_letter_reason")).isEqualTo("java.lang.IllegalStateException: no such customer");
        assertThat(letter.getProps().getHeaders()).containsKey("dead_letter_at");
    }

    @Test
    void deadLetterThatCannotBeHandedOverStaysInTheQueueUntilItCan() {
        String dead = "exchange-" + UUID.randomUUID();
        OutboxEvent bad = Events.of("order.bad");
        broker.publish(exchange, List.of(bad));
        RabbitConsumer.Builder builder = builder(failing("order.bad")).deadLetterExchange(dead);
        try (RabbitConsumer consumer = started(builder)) {
            await().until(() -> failures.get() > 3);
        }
        await().untilAsserted(() -> assertThat(broker.ready(queue)).isEqualTo(1));
        broker.run(channel -> channel.exchangeDeclare(dead, BuiltinExchangeType.TOPIC, true));
        try (RabbitConsumer consumer = started(builder)) {
            int before = failures.get();
            await().until(() -> failures.get() > before + 3);
            // The exchange is there now, but no queue is bound to it.
            String deadQueue = broker.queue(dead, "#");
            await().until(() -> broker.ready(deadQueue) == 1);
        }
        assertThat(broker.take(queue)).isEmpty();
    }

    @Test
    void messageThatIsNoEventGoesToTheExchangeAsItIs() {
        String dead = broker.exchange();
        String deadQueue = broker.queue(dead, "x");
        send(new BasicProperties.Builder()
                .contentType("text/plain")
                .messageId("17")
                .build());
        try (RabbitConsumer consumer = started(builder(this::apply).deadLetterExchange(dead))) {
            await().until(() -> broker.ready(deadQueue) == 1);
        }
        GetResponse letter = only(deadQueue);
        assertThat(new String(letter.getBody(), StandardCharsets.UTF_8)).isEqualTo("body");
        assertThat(letter.getProps().getContentType()).isEqualTo("text/plain");
        assertThat(letter.getProps().getMessageId()).isEqualTo("17");
        assertThat(text(letter, "dead_letter_reason")).isEqualTo("message-id must be a UUID (was \"17\")");
        assertThat(broker.take(queue)).isEmpty();
    }

    /** With them the broker would refuse the message, drop it after a while, or send it elsewhere once more. */
    @Test
    void propertiesThatWouldLoseOrSpreadADeadLetterAreLeftOut() {
        String dead = broker.exchange();
        String deadQueue = broker.queue(dead, "x");
        send(new BasicProperties.Builder()
                .userId(broker.factory().getUsername())
                .expiration("600000")
                .deliveryMode(1)
                .headers(Map.of("CC", List.of("x.copy"), "own", 5))
                .build());
        try (RabbitConsumer consumer = started(builder(this::apply).deadLetterExchange(dead))) {
            await().until(() -> broker.ready(deadQueue) > 0);
        }
        BasicProperties properties = only(deadQueue).getProps();
        assertThat(properties.getUserId()).isNull();
        assertThat(properties.getExpiration()).isNull();
        assertThat(properties.getDeliveryMode()).isEqualTo(2);
        assertThat(properties.getHeaders()).doesNotContainKey("CC").containsEntry("own", 5);
    }

    /** Headers cannot be split over frames, of 128 KiB by default. */
    @Test
    void reasonIsLeftOutWhereItDoesNotFitBesideTheHeaders() {
        String dead = broker.exchange();
        String deadQueue = broker.queue(dead, "#");
        send(new BasicProperties.Builder()
                .headers(Map.of("large", "x".repeat(130_900)))
                .build());
        try (RabbitConsumer consumer = started(builder(this::apply).deadLetterExchange(dead))) {
            await().until(() -> broker.ready(deadQueue) == 1);
        }
        assertThat(text(only(deadQueue), "large")).hasSize(130_900);
        assertThat(broker.take(queue)).isEmpty();
    }

    @Test
    void reasonIsBounded() {
        String dead = broker.exchange();
        String deadQueue = broker.queue(dead, "#");
        broker.publish(exchange, Events.many(1, "order.created"));
        EventConsumer consumer = event -> {
            throw new IllegalStateException("line\n".repeat(100_000));
        };
        try (RabbitConsumer receiver = started(builder(consumer).deadLetterExchange(dead))) {
            await().until(() -> broker.ready(deadQueue) == 1);
        }
        assertThat(text(only(deadQueue), "dead_letter_reason")).hasSize(1_000).doesNotContain("\n");
    }

    @Test
    void eventIsRejectedToTheQueuesOwnExchangeWhereThatIsWanted() {
        String dead = broker.exchange();
        String deadQueue = broker.queue(dead, "#");
        String own = broker.queue(exchange, "#", Map.of("x-dead-letter-exchange", dead));
        broker.publish(exchange, List.of(Events.of("order.bad"), Events.of("order.good")));
        try (RabbitConsumer consumer =
                started(builder(own, failing("order.bad")).rejectDeadLetters())) {
            await().until(() -> applied.size() == 1);
            await().until(() -> broker.ready(deadQueue) == 1);
        }
        assertThat(broker.take(own)).isEmpty();
    }

    @Test
    void withoutAWayNothingIsGivenUp() {
        send(new BasicProperties.Builder().messageId("no UUID").build());
        broker.publish(exchange, List.of(Events.of("order.bad"), Events.of("other", 1)));
        try (RabbitConsumer consumer = started(builder(failing("order.bad")))) {
            await().until(() -> applied.size() == 1 && failures.get() > 5);
        }
        await().untilAsserted(() -> assertThat(broker.ready(queue)).isEqualTo(2));
    }

    /** A consumer that fails and is restarted does not begin anew each time; a first failure is never enough. */
    @Test
    void earlierDeliveriesOfAQuorumQueueCount() {
        assumeTrue(broker.server().isRabbitMq(), AmqpServer.HOW_TO_GET_RABBITMQ);
        String dead = broker.exchange();
        String deadQueue = broker.queue(dead, "#");
        String quorum = broker.queue(exchange, "#", Map.of("x-queue-type", "quorum"));
        broker.publish(exchange, List.of(Events.of("order.bad")));
        RetryPolicy slow = new RetryPolicy(5, Duration.ofDays(1), Duration.ofDays(1));
        for (int i = 1; i <= 6; i++) {
            int expected = i;
            try (RabbitConsumer consumer = started(
                    builder(quorum, failing("order.bad")).retryPolicy(slow).deadLetterExchange(dead))) {
                await().until(() -> failures.get() == expected);
            }
        }
        assertThat(broker.take(deadQueue)).isEmpty();
        RetryPolicy soon = new RetryPolicy(5, Duration.ofMillis(10), Duration.ofMillis(10));
        try (RabbitConsumer consumer =
                started(builder(quorum, failing("order.bad")).retryPolicy(soon).deadLetterExchange(dead))) {
            await().until(() -> broker.ready(deadQueue) == 1);
        }
        assertThat(failures).hasValue(6 + 2);
        assertThat(broker.take(quorum)).isEmpty();
    }

    /** The channel must outlive it, or the attempts would be counted anew. */
    @Test
    void handlerThatInterruptsItsThreadFailsLikeAnyOther() {
        requireThatOnlyTheBadOneIsGivenUp(() -> {
            Thread.currentThread().interrupt();
            return new IllegalStateException("interrupted");
        });
    }

    /** As Kotlin's handlers may, whose compiler knows no checked exceptions. */
    @Test
    void checkedExceptionThatNobodyDeclaredFailsLikeAnyOther() {
        requireThatOnlyTheBadOneIsGivenUp(
                () -> RabbitConsumerDeadLetterTest.<RuntimeException>unchecked(new IOException("undeclared")));
    }

    private void requireThatOnlyTheBadOneIsGivenUp(Supplier<RuntimeException> failure) {
        String dead = broker.exchange();
        String deadQueue = broker.queue(dead, "#");
        broker.publish(exchange, List.of(Events.of("order.bad"), Events.of("other", 1)));
        EventConsumer consumer = event -> {
            if (event.eventType().equals("order.bad")) {
                failures.incrementAndGet();
                throw failure.get();
            }
            return apply(event);
        };
        try (RabbitConsumer receiver = started(builder(consumer).deadLetterExchange(dead))) {
            await().until(() -> broker.ready(deadQueue) == 1);
            await().until(() -> applied.size() == 1);
        }
        assertThat(failures).hasValue(3);
        assertThat(broker.take(queue)).isEmpty();
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <X extends Throwable> X unchecked(Throwable failure) throws X {
        throw (X) failure;
    }

    private RabbitConsumer.Builder builder(EventConsumer consumer) {
        return builder(queue, consumer);
    }

    private RabbitConsumer.Builder builder(String from, EventConsumer consumer) {
        return RabbitConsumer.builder(broker.factory(), from, consumer).retryPolicy(THREE_TIMES);
    }

    private static RabbitConsumer started(RabbitConsumer.Builder builder) {
        RabbitConsumer consumer = builder.build();
        consumer.start();
        return consumer;
    }

    private EventConsumer failing(String eventType) {
        return event -> {
            if (event.eventType().equals(eventType)) {
                failures.incrementAndGet();
                throw new IllegalStateException("no such customer");
            }
            return apply(event);
        };
    }

    private Applied apply(OutboxEvent event) {
        applied.add(event);
        return Applied.APPLIED;
    }

    private void send(BasicProperties properties) {
        broker.run(channel -> {
            channel.confirmSelect();
            channel.basicPublish(exchange, "x", properties, "body".getBytes(StandardCharsets.UTF_8));
            return channel.waitForConfirms();
        });
    }

    private GetResponse only(String from) {
        List<GetResponse> messages = broker.take(from);
        assertThat(messages).hasSize(1);
        return messages.get(0);
    }

    private static String text(GetResponse message, String header) {
        return String.valueOf(message.getProps().getHeaders().get(header));
    }
}
