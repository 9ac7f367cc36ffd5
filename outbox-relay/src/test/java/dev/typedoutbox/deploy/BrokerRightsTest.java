package dev.typedoutbox.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.Applied;
import dev.typedoutbox.rabbit.QueueTopology;
import dev.typedoutbox.rabbit.RabbitConsumer;
import dev.typedoutbox.rabbit.RabbitPublisher;
import dev.typedoutbox.rabbit.Routing;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.PublisherSession;
import dev.typedoutbox.servers.AmqpServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rights that docs/operations.md gives to the broker's users are enough. */
class BrokerRightsTest {
    private static final String NONE = "^$";

    private final AmqpServer server = AmqpServer.shared();
    private final String name = "rights-" + UUID.randomUUID();

    @BeforeEach
    void declareAsAdministrator() throws Exception {
        assumeTrue(server.isRabbitMq() && server.isControllable(), AmqpServer.HOW_TO_GET_RABBITMQ);
        QueueTopology.builder(name).boundTo(name + "-events", "#").build().declare(administrator());
    }

    @Test
    void aRelayPublishesThatMayDoNothingButWriteToItsExchange() throws Exception {
        ConnectionFactory relay = user("^" + name + "-events$", NONE);

        try (RabbitPublisher publisher = RabbitPublisher.create(relay, Routing.toExchange(name + "-events"));
                PublisherSession session = publisher.open()) {
            assertThat(session.publish(List.of(event()), Duration.ofSeconds(10)))
                    .containsExactly(PublishOutcome.confirmed());
        }
        assertThat(waiting(name)).isEqualTo(1);
    }

    @Test
    void aConsumerThatMayOnlyReadItsQueueAndWriteDeadLettersAppliesAndGivesUp() throws Exception {
        ConnectionFactory shipping = user("^" + name + "\\.dead$", "^" + name + "$");
        publish(UUID.randomUUID().toString());
        publish("no UUID, and so no event");

        try (RabbitConsumer consumer = RabbitConsumer.builder(shipping, name, event -> Applied.APPLIED)
                .deadLetterExchange(name + ".dead")
                .build()) {
            consumer.start();
            await().until(() -> waiting(name + ".dead") == 1 && waiting(name) == 0);
        }
        assertThat(waiting(name)).isZero();
    }

    private static OutboxEvent event() {
        return OutboxEvent.builder(UUID.randomUUID())
                .aggregate("order", "4711", 1)
                .eventType("order.placed")
                .payload("{}".getBytes(StandardCharsets.UTF_8))
                .build();
    }

    private ConnectionFactory administrator() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(server.uri());
        return factory;
    }

    /** A new user that may configure nothing. */
    private ConnectionFactory user(String write, String read) throws Exception {
        String user = "user-" + UUID.randomUUID();
        server.evaluate("rabbit_auth_backend_internal:add_user(" + binary(user) + ", <<\"secret\">>, <<\"test\">>),"
                + " rabbit_auth_backend_internal:set_permissions(" + binary(user) + ", <<\"/\">>, " + binary(NONE)
                + ", "
                + binary(write) + ", " + binary(read) + ", <<\"test\">>).");
        ConnectionFactory factory = administrator();
        factory.setUsername(user);
        factory.setPassword("secret");
        return factory;
    }

    private static String binary(String text) {
        return "<<\"" + text.replace("\\", "\\\\") + "\">>";
    }

    private void publish(String messageId) throws Exception {
        BasicProperties properties =
                new BasicProperties.Builder().messageId(messageId).build();
        try (Connection connection = administrator().newConnection();
                Channel channel = connection.createChannel()) {
            channel.confirmSelect();
            channel.basicPublish("", name, properties, "{}".getBytes(StandardCharsets.UTF_8));
            channel.waitForConfirmsOrDie(10_000);
        }
    }

    private long waiting(String queue) throws Exception {
        try (Connection connection = administrator().newConnection();
                Channel channel = connection.createChannel()) {
            return channel.messageCount(queue);
        }
    }
}
