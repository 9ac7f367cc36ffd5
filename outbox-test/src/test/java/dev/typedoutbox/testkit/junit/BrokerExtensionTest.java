package dev.typedoutbox.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import dev.typedoutbox.servers.AmqpServer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

class BrokerExtensionTest {
    @RegisterExtension
    static final BrokerExtension BROKER = BrokerExtension.create();

    @Test
    void brokerCarriesMessages() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(BROKER.uri());
        String queue = BROKER.uniqueName("orders");
        try (Connection connection = factory.newConnection();
                Channel channel = connection.createChannel()) {
            channel.queueDeclare(queue, false, false, true, Map.of());
            channel.basicPublish("", queue, null, "hello".getBytes(StandardCharsets.UTF_8));

            GetResponse message = channel.basicGet(queue, true);

            assertThat(message.getBody()).asString(StandardCharsets.UTF_8).isEqualTo("hello");
        }
    }

    @Test
    void partsOfTheUriAreThoseThatAClientTakesFromIt() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(BROKER.uri());

        assertThat(BROKER.host()).isEqualTo(factory.getHost());
        assertThat(BROKER.port()).isEqualTo(factory.getPort());
        assertThat(BROKER.user()).isEqualTo(factory.getUsername());
        assertThat(BROKER.password()).isEqualTo(factory.getPassword());
        assertThat(BROKER.virtualHost()).isEqualTo(factory.getVirtualHost());
    }

    @Test
    void namesAreUnique() {
        assertThat(BROKER.uniqueName("orders"))
                .matches("orders-[0-9a-f]{32}")
                .isNotEqualTo(BROKER.uniqueName("orders"));
    }

    @Test
    void testsThatNeedRabbitMqRunThereAndAreSkippedElsewhere() {
        TestExecutionSummary summary = TestRun.of(NeedsRabbitMq.class);

        assertThat(summary.getFailures()).isEmpty();
        assertThat(BROKER.isRabbitMq()).isEqualTo(AmqpServer.shared().isRabbitMq());
        assertThat(summary.getTestsSucceededCount()).isEqualTo(BROKER.isRabbitMq() ? 1 : 0);
    }

    static class NeedsRabbitMq {
        @RegisterExtension
        static final BrokerExtension RABBIT = BrokerExtension.rabbitMq();

        @Test
        void isThere() {
            assertThat(RABBIT.isRabbitMq()).isTrue();
        }
    }
}
