package dev.typedoutbox.rabbit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import dev.typedoutbox.rabbit.QueueTopology;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.servers.AmqpServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is declared, and what becomes of messages in it. */
class QueueTopologyTest {
    private static final Executor THREADS = task -> new Thread(task).start();

    private final Broker broker = Broker.shared();
    private final String name = "topology-" + UUID.randomUUID();
    private final String exchange = name + "-events";
    private final QueueTopology.Builder builder = QueueTopology.builder(name).boundTo(exchange, "order.*");

    QueueTopologyTest() {
        assumeTrue(broker.server().isRabbitMq(), AmqpServer.HOW_TO_GET_RABBITMQ);
    }

    @Test
    void namesOfTheDeadLettersFollowTheQueueUnlessSaidOtherwise() {
        QueueTopology topology = builder.build();
        assertThat(topology.queue()).isEqualTo(name);
        assertThat(topology.deadLetterExchange()).isEqualTo(name + ".dead");
        assertThat(topology.deadLetterQueue()).isEqualTo(name + ".dead");
        topology = builder.deadLettersTo("lost").build();
        assertThat(topology.deadLetterExchange()).isEqualTo("lost");
        assertThat(topology.deadLetterQueue()).isEqualTo("lost");
    }

    /** The broker refuses what differs from what is there in any argument. */
    @Test
    void allIsDeclaredWithTheDocumentedArguments() {
        QueueTopology topology = builder.singleActiveConsumer().build();
        topology.declare(broker.factory());
        broker.run(channel -> {
            channel.exchangeDeclarePassive(exchange);
            channel.exchangeDeclare(exchange, BuiltinExchangeType.TOPIC, true);
            channel.exchangeDeclarePassive(name + ".dead");
            channel.exchangeDeclare(name + ".dead", BuiltinExchangeType.FANOUT, true);
            channel.queueDeclarePassive(name);
            channel.queueDeclarePassive(name + ".dead");
            channel.queueDeclare(name, true, false, false, quorumArguments(20));
            return channel.queueDeclare(
                    name + ".dead",
                    true,
                    false,
                    false,
                    Map.of("x-queue-type", "quorum", "x-delivery-limit", Integer.MAX_VALUE));
        });
    }

    private Map<String, Object> quorumArguments(int deliveryLimit) {
        return Map.of(
                "x-queue-type",
                "quorum",
                "x-dead-letter-exchange",
                name + ".dead",
                "x-dead-letter-strategy",
                "at-least-once",
                "x-overflow",
                "reject-publish",
                "x-delivery-limit",
                deliveryLimit,
                "x-single-active-consumer",
                true);
    }

    @Test
    void rejectedMessageEndsInTheDeadLetterQueue() {
        builder.build().declare(broker.factory());
        assertRejectedMessageIsADeadLetter();
    }

    @Test
    void rejectedMessageOfAClassicQueueEndsInTheDeadLetterQueue() {
        builder.classic().build().declare(broker.factory());
        broker.run(channel -> channel.queueDeclare(
                name, true, false, false, Map.of("x-queue-type", "classic", "x-dead-letter-exchange", name + ".dead")));
        assertRejectedMessageIsADeadLetter();
    }

    private void assertRejectedMessageIsADeadLetter() {
        List<String> ids = publish("order.paid", 1);
        broker.run(channel -> {
            channel.basicReject(got(channel).getEnvelope().getDeliveryTag(), false);
            return true;
        });
        await().until(() -> broker.ready(name + ".dead") == 1);
        GetResponse dead = broker.take(name + ".dead").get(0);
        assertThat(dead.getProps().getMessageId()).isEqualTo(ids.get(0));
        assertThat(dead.getEnvelope().getRoutingKey()).isEqualTo("order.paid");
        assertThat(broker.take(name)).isEmpty();
    }

    @Test
    void eachBindingFeedsTheQueue() {
        QueueTopology topology = builder.boundTo(exchange, "stock.#")
                .boundTo(exchange + "-2", "#")
                .build();
        topology.declare(broker.factory());
        publish("order.paid", 1);
        publish("stock.moved.out", 1);
        publish(exchange + "-2", "anything", 1);
        assertThat(broker.take(name))
                .extracting(message -> message.getEnvelope().getRoutingKey())
                .containsExactly("order.paid", "stock.moved.out", "anything");
    }

    @Test
    void queueThatIsBoundToNothingIsDeclared() {
        QueueTopology.builder(name).build().declare(broker.factory());
        publish("", name, 1);
        assertThat(broker.take(name)).hasSize(1);
    }

    @Test
    void declaringAgainLosesNothingAndKeepsOtherBindings() {
        builder.build().declare(broker.factory());
        broker.run(channel -> channel.queueBind(name, exchange, "other"));
        List<String> ids = publish("order.paid", 3);
        publish(name + ".dead", "dead", 2);
        builder.build().declare(broker.factory());
        ids.addAll(publish("other", 1));
        assertThat(broker.takeIds(name)).isEqualTo(ids);
        assertThat(broker.take(name + ".dead")).hasSize(2);
    }

    @Test
    void severalInstancesDeclareAtTheSameTime() {
        QueueTopology topology = builder.build();
        CompletableFuture.allOf(Stream.generate(() -> topology)
                        .limit(6)
                        .map(one -> CompletableFuture.runAsync(() -> one.declare(broker.factory()), THREADS))
                        .toArray(CompletableFuture[]::new))
                .orTimeout(1, TimeUnit.MINUTES)
                .join();
        publish("order.paid", 1);
        assertThat(broker.take(name)).hasSize(1);
    }

    @Test
    void messageThatComesBackMoreOftenThanTheLimitIsADeadLetter() {
        builder.deliveryLimit(2).build().declare(broker.factory());
        List<String> ids = publish("order.paid", 1);
        int deliveries = giveBackUntil(name, channel -> channel.messageCount(name + ".dead") == 1, Integer.MAX_VALUE);
        assertThat(deliveries).isEqualTo(3);
        assertThat(broker.takeIds(name + ".dead")).isEqualTo(ids);
    }

    @Test
    void deadLetterMayBeLookedAtMoreOftenThanTheDefaultLimitAllows() {
        builder.build().declare(broker.factory());
        publish(name + ".dead", "dead", 1);
        assertThat(giveBackUntil(name + ".dead", channel -> false, 30)).isEqualTo(30);
        await().until(() -> broker.ready(name + ".dead") == 1);
    }

    private interface Condition {
        boolean holds(Channel channel) throws IOException;
    }

    private int giveBackUntil(String queue, Condition end, int most) {
        return broker.run(channel -> {
            int[] deliveries = {0};
            await().until(() -> {
                GetResponse message = channel.basicGet(queue, false);
                if (message != null) {
                    deliveries[0]++;
                    channel.basicReject(message.getEnvelope().getDeliveryTag(), true);
                }
                return deliveries[0] == most || end.holds(channel);
            });
            return deliveries[0];
        });
    }

    @Test
    void secondConsumerGetsMessagesOnlyWhenTheFirstIsGone() {
        builder.singleActiveConsumer().build().declare(broker.factory());
        broker.run(channel -> {
            BlockingQueue<String> receivers = new LinkedBlockingQueue<>();
            String first = consume(channel, "first", receivers);
            consume(channel, "second", receivers);
            publish("order.paid", 10);
            assertThat(take(receivers, 10)).containsOnly("first");
            channel.basicCancel(first);
            publish("order.paid", 10);
            assertThat(take(receivers, 10)).containsOnly("second");
            return true;
        });
    }

    @Test
    void consumersShareTheMessagesUnlessSaidOtherwise() {
        builder.build().declare(broker.factory());
        broker.run(channel -> {
            BlockingQueue<String> receivers = new LinkedBlockingQueue<>();
            consume(channel, "first", receivers);
            consume(channel, "second", receivers);
            publish("order.paid", 10);
            assertThat(take(receivers, 10)).contains("first", "second");
            return true;
        });
    }

    private String consume(Channel channel, String receiver, BlockingQueue<String> receivers) throws IOException {
        return channel.basicConsume(name, true, (tag, message) -> receivers.add(receiver), tag -> {});
    }

    private static List<String> take(BlockingQueue<String> receivers, int number) {
        await().until(() -> receivers.size() == number);
        List<String> taken = List.copyOf(receivers);
        receivers.clear();
        return taken;
    }

    private GetResponse got(Channel channel) {
        GetResponse[] message = {null};
        await().until(() -> {
            message[0] = channel.basicGet(name, false);
            return message[0] != null;
        });
        return message[0];
    }

    private List<String> publish(String routingKey, int messages) {
        return publish(exchange, routingKey, messages);
    }

    /** Returns when the broker has confirmed them. */
    private List<String> publish(String to, String routingKey, int messages) {
        return broker.run(channel -> {
            channel.confirmSelect();
            List<String> ids = new ArrayList<>();
            for (int i = 0; i < messages; i++) {
                BasicProperties properties = MessageProperties.PERSISTENT_BASIC
                        .builder()
                        .messageId(UUID.randomUUID().toString())
                        .build();
                channel.basicPublish(to, routingKey, properties, "{}".getBytes(StandardCharsets.UTF_8));
                ids.add(properties.getMessageId());
            }
            channel.waitForConfirmsOrDie(10_000);
            return ids;
        });
    }
}
