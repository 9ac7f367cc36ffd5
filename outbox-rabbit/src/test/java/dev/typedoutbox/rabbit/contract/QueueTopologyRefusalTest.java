package dev.typedoutbox.rabbit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MessageProperties;
import com.rabbitmq.client.NoOpMetricsCollector;
import dev.typedoutbox.rabbit.BrokerUnavailableException;
import dev.typedoutbox.rabbit.QueueTopology;
import dev.typedoutbox.rabbit.TopologyRefusedException;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.servers.AmqpServer;
import dev.typedoutbox.servers.TcpProxy;
import dev.typedoutbox.servers.TcpProxy.Direction;
import java.net.URI;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the broker does not declare, and how the caller learns of it. */
class QueueTopologyRefusalTest {
    private static final String EXISTS = " it exists otherwise, and is left as it is; build the topology that exists,"
            + " choose another name, or delete it once it is empty and nobody uses it";

    private final Broker broker = Broker.shared();
    private final String name = "topology-" + UUID.randomUUID();
    private final String exchange = name + "-events";
    private final QueueTopology topology =
            QueueTopology.builder(name).boundTo(exchange, "order.*").build();

    @Test
    void queueThatExistsOtherwiseIsNamedAndKeepsItsMessages() {
        requireRabbitMq();
        broker.run(channel -> {
            channel.queueDeclare(name, true, false, false, null);
            channel.confirmSelect();
            channel.basicPublish("", name, MessageProperties.PERSISTENT_BASIC, new byte[0]);
            channel.waitForConfirmsOrDie(10_000);
            return true;
        });
        assertRefused(
                "queue \"" + name + "\" must be durable with {x-dead-letter-exchange=" + name
                        + ".dead, x-dead-letter-strategy=at-least-once, x-delivery-limit=20,"
                        + " x-overflow=reject-publish, x-queue-type=quorum} (was refused: 406 PRECONDITION_FAILED"
                        + " - inequivalent arg '",
                EXISTS);
        broker.run(channel -> channel.queueDeclare(name, true, false, false, null));
        assertThat(broker.take(name)).hasSize(1);
    }

    @Test
    void otherDeliveryLimitIsToldAndNotSet() {
        requireRabbitMq();
        topology.declare(broker.factory());
        QueueTopology other = QueueTopology.builder(name)
                .boundTo(exchange, "order.*")
                .deliveryLimit(5)
                .build();
        assertThatThrownBy(() -> other.declare(broker.factory()))
                .isInstanceOf(TopologyRefusedException.class)
                .hasMessageContaining("queue \"" + name + "\" must be durable with {")
                .hasMessageContaining("x-delivery-limit=5")
                .hasMessageContaining("inequivalent arg 'x-delivery-limit'")
                .hasMessageContaining("'20'")
                .hasMessageEndingWith(EXISTS);
        topology.declare(broker.factory());
    }

    @Test
    void exchangeThatExistsOtherwiseIsNamed() {
        requireRabbitMq();
        broker.run(channel -> channel.exchangeDeclare(exchange, BuiltinExchangeType.DIRECT, true));
        assertRefused(
                "exchange \"" + exchange + "\" must be durable and of type topic (was refused: 406 PRECONDITION_FAILED"
                        + " - inequivalent arg 'type' for exchange '" + exchange + "'",
                EXISTS);
        broker.run(channel -> channel.exchangeDeclare(exchange, BuiltinExchangeType.DIRECT, true));
    }

    @Test
    void deadLetterExchangeThatExistsOtherwiseIsNamed() {
        requireRabbitMq();
        broker.run(channel -> channel.exchangeDeclare(name + ".dead", BuiltinExchangeType.TOPIC, true));
        assertRefused("exchange \"" + name + ".dead\" must be durable and of type fanout (was refused: 406 ", EXISTS);
        broker.run(channel -> channel.exchangeDeclare(name + ".dead", BuiltinExchangeType.TOPIC, true));
    }

    @Test
    void deadLetterQueueThatExistsOtherwiseIsNamed() {
        requireRabbitMq();
        broker.run(channel -> channel.queueDeclare(name + ".dead", true, false, false, null));
        assertRefused(
                "queue \"" + name + ".dead\" must be durable with {x-delivery-limit=2147483647, x-queue-type=quorum}"
                        + " (was refused: 406 ",
                EXISTS);
        broker.run(channel -> channel.queueDeclare(name + ".dead", true, false, false, null));
    }

    @Test
    void queueThatIsAnotherConnectionsOwnIsNamed() {
        requireRabbitMq();
        broker.run(channel -> {
            channel.queueDeclare(name, false, true, false, null);
            assertRefused(
                    "queue \"" + name + "\" must be durable with {",
                    "(was refused: 405 RESOURCE_LOCKED - ",
                    "): correct what the broker names, and declare again");
            return true;
        });
    }

    @Test
    void rightsThatAreMissingAreNamed() {
        assumeTrue(
                broker.server().isRabbitMq() && broker.server().isControllable(), "needs a RabbitMQ node of its own");
        ConnectionFactory shipper = broker.factory();
        shipper.setUsername(name);
        shipper.setPassword("secret");
        allow(".*", ".*", ".*");
        topology.declare(shipper);

        allow("nothing", ".*", ".*");
        assertForbidden(shipper, topology, "exchange \"" + name + ".dead\"", "configure \"" + name + ".dead\"");
        allow(".*", "nothing", ".*");
        assertForbidden(
                shipper,
                topology,
                "queue \"" + name + ".dead\"",
                "write \"" + name + ".dead\" and read \"" + name + ".dead\"");
        allow(".*", ".*dead", ".*");
        assertForbidden(
                shipper, topology, "queue \"" + name + "\"", "write \"" + name + "\" and read \"" + exchange + "\"");
        allow(".*", name + "(-2)?(.dead)?", ".*dead");
        assertForbidden(
                shipper,
                QueueTopology.builder(name + "-2").build(),
                "queue \"" + name + "-2\"",
                "configure \"" + name + "-2\", read \"" + name + "-2\" and write \"" + name + "-2.dead\"");
    }

    private void allow(String configure, String write, String read) {
        String user = "<<\"" + name + "\">>";
        broker.server()
                .evaluate("case rabbit_auth_backend_internal:exists(" + user + ") of true -> ok;"
                        + " false -> ok = rabbit_auth_backend_internal:add_user(" + user
                        + ", <<\"secret\">>, <<\"test\">>) end,"
                        + " ok = rabbit_auth_backend_internal:set_permissions(" + user + ", <<\"/\">>, <<\"^"
                        + configure
                        + "$\">>, <<\"^" + write + "$\">>, <<\"^" + read + "$\">>, <<\"test\">>).");
    }

    private void assertForbidden(ConnectionFactory settings, QueueTopology declared, String part, String rights) {
        assertThatThrownBy(() -> declared.declare(settings))
                .isInstanceOf(TopologyRefusedException.class)
                .hasMessageStartingWith(part + " must be ")
                .hasMessageContaining("(was refused: 403 ACCESS_REFUSED - ")
                .hasMessageEndingWith("): give user \"" + name + "\" in virtual host \"/\" the rights to " + rights)
                .hasMessageNotContaining("secret");
    }

    @Test
    void brokerWithoutQuorumQueuesIsNamedAndTakesClassicOnes() {
        try (AmqpServer server = AmqpServer.startEmbedded()) {
            Broker other = new Broker(server);
            assertThatThrownBy(() -> topology.declare(other.factory()))
                    .isInstanceOf(TopologyRefusedException.class)
                    .hasMessageStartingWith(
                            "broker must be RabbitMQ 3.10 or newer for the quorum queue \"" + name + "\" (was ")
                    .hasMessageEndingWith("): use another broker, or classic()");
            QueueTopology classic = QueueTopology.builder(name)
                    .boundTo(exchange, "order.*")
                    .singleActiveConsumer()
                    .classic()
                    .build();
            classic.declare(other.factory());
            other.run(channel -> {
                channel.basicPublish(exchange, "order.paid", MessageProperties.PERSISTENT_BASIC, new byte[0]);
                return true;
            });
            classic.declare(other.factory());
            assertThat(other.take(name)).hasSize(1);
        }
    }

    @Test
    void brokerThatIsAwayIsNamed() {
        ConnectionFactory nobody = Broker.factory("amqp://shipper:secret@127.0.0.1:1/%2F");
        assertThatThrownBy(() -> topology.declare(nobody))
                .isInstanceOf(BrokerUnavailableException.class)
                .hasMessageStartingWith(
                        "no connection to RabbitMQ at 127.0.0.1:1 (virtual host /) as user shipper: Connection refused");
    }

    @Test
    void loginThatTheBrokerRefusesIsNamedWithoutThePassword() {
        ConnectionFactory wrong = broker.factory();
        wrong.setPassword("secret");
        assertThatThrownBy(() -> topology.declare(wrong))
                .isInstanceOf(BrokerUnavailableException.class)
                .hasMessageContaining(" as user " + wrong.getUsername() + ": ")
                .hasMessageNotContaining("secret");
    }

    private enum End {
        CUT,
        SILENCE
    }

    @ParameterizedTest
    @EnumSource
    void brokerThatGoesAwayMeanwhileIsNamed(End end) {
        URI server = broker.server().uri();
        try (TcpProxy proxy = TcpProxy.to(server.getHost(), server.getPort())) {
            ConnectionFactory factory = Broker.factory(Broker.at(server, proxy.port()));
            factory.setChannelRpcTimeout(500);
            factory.setMetricsCollector(new NoOpMetricsCollector() {
                @Override
                public void newChannel(Channel channel) {
                    if (end == End.CUT) {
                        proxy.cut();
                    } else {
                        proxy.swallow(Direction.TO_CLIENT);
                    }
                }
            });
            QueueTopology classic = QueueTopology.builder(name).classic().build();
            assertThatThrownBy(() -> classic.declare(factory))
                    .isInstanceOf(BrokerUnavailableException.class)
                    .hasMessageStartingWith("RabbitMQ at 127.0.0.1:" + proxy.port()
                            + " (virtual host /) went away before all was declared: ")
                    .hasMessageEndingWith("; declare again");
        }
    }

    @Test
    void connectionIsClosedHoweverItEnds() {
        requireRabbitMq();
        AtomicInteger open = new AtomicInteger();
        AtomicInteger opened = new AtomicInteger();
        ConnectionFactory factory = broker.factory();
        factory.setMetricsCollector(new NoOpMetricsCollector() {
            @Override
            public void newConnection(Connection connection) {
                opened.incrementAndGet();
                open.incrementAndGet();
                connection.addShutdownListener(cause -> open.decrementAndGet());
            }
        });
        topology.declare(factory);
        QueueTopology refused = QueueTopology.builder(name).classic().build();
        assertThatThrownBy(() -> refused.declare(factory)).isInstanceOf(TopologyRefusedException.class);
        assertThat(opened).hasValue(2);
        // The client tells its listeners from a thread of its own, some moments after the close.
        await().untilAsserted(() -> assertThat(open).hasValue(0));
    }

    @Test
    void badNamesAreRefusedBeforeTheBrokerSeesThem() {
        QueueTopology.Builder builder = QueueTopology.builder(name);
        assertBad(() -> QueueTopology.builder(""), "queue must be 1 to 255 bytes in UTF-8 (was 0)");
        assertBad(() -> QueueTopology.builder("é".repeat(128)), "queue must be 1 to 255 bytes in UTF-8 (was 256)");
        assertBad(
                () -> QueueTopology.builder("amq.mine"),
                "queue must not begin with \"amq.\", which is reserved for the broker's own (was \"amq.mine\")");
        assertBad(() -> QueueTopology.builder("a\nb"), "queue must be one line (was \"a\nb\")");
        assertBad(() -> builder.boundTo("", "#"), "exchange must be 1 to 255 bytes in UTF-8 (was 0)");
        assertBad(
                () -> builder.boundTo("amq.topic", "#"),
                "exchange must not begin with \"amq.\", which is reserved for the broker's own (was \"amq.topic\")");
        assertBad(() -> builder.boundTo("orders", ""), "bindingKey must be 1 to 255 bytes in UTF-8 (was 0)");
        assertBad(
                () -> builder.boundTo("orders", "x".repeat(256)),
                "bindingKey must be 1 to 255 bytes in UTF-8 (was 256)");
        assertBad(() -> builder.deadLettersTo(""), "deadLettersTo must be 1 to 255 bytes in UTF-8 (was 0)");
        assertBad(
                () -> QueueTopology.builder("q".repeat(251)).build(),
                "queue with \".dead\" at its end must be 1 to 255 bytes in UTF-8 (was 256)");
    }

    @Test
    void longestNamesAreDeclared() {
        requireRabbitMq();
        String longest = name + "q".repeat(250 - name.length());
        QueueTopology.builder(longest)
                .boundTo(exchange + "e".repeat(255 - exchange.length()), "k".repeat(255))
                .build()
                .declare(broker.factory());
        assertThat(broker.take(longest + ".dead")).isEmpty();
    }

    @Test
    void badSettingsAreNamed() {
        QueueTopology.Builder builder = QueueTopology.builder("q").boundTo("orders", "#");
        assertBad(() -> builder.deliveryLimit(0), "deliveryLimit must be at least 1 (was 0)");
        assertBad(
                () -> builder.deadLettersTo("q").build(),
                "deadLettersTo must differ from the queue and its exchanges (was \"q\")");
        assertBad(
                () -> builder.deadLettersTo("orders").build(),
                "deadLettersTo must differ from the queue and its exchanges (was \"orders\")");
        assertBad(
                () -> builder.deliveryLimit(5).classic().build(),
                "deliveryLimit must be left out of a classic queue, which counts no deliveries (was 5)");
    }

    private static void assertBad(Runnable setting, String message) {
        assertThatThrownBy(setting::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    private void assertRefused(String start, String... words) {
        assertThatThrownBy(() -> topology.declare(broker.factory()))
                .isInstanceOf(TopologyRefusedException.class)
                .hasMessageStartingWith(start)
                .hasMessageContainingAll(words);
    }

    private void requireRabbitMq() {
        assumeTrue(broker.server().isRabbitMq(), AmqpServer.HOW_TO_GET_RABBITMQ);
    }
}
