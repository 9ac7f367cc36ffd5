package dev.typedoutbox.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AmqpLadderTest {

    @Test
    void externalServerIsTakenFirstAndLeftAlone() throws Exception {
        try (AmqpServer running = AmqpServer.startEmbedded()) {
            Map<String, String> environment =
                    Map.of(AmqpServer.URI_VARIABLE, running.uri().toString());

            AmqpServer external = AmqpLadder.of(environment::get).start();

            assertThat(external.uri()).isEqualTo(running.uri());
            assertThat(external.isRabbitMq()).isFalse();
            assertThat(external.isControllable()).isFalse();
            external.close();
            assertThat(AmqpGreeting.of(running.uri()).isFromRabbitMq()).isFalse();
        }
    }

    @Test
    void withoutDockerAndRabbitMqBrokerJIsTaken() {
        try (AmqpServer server = withNothingInstalled(Map.of()).start()) {
            assertThat(server.isRabbitMq()).isFalse();
        }
    }

    @Test
    void requiredRabbitMqThatIsNotThereIsAnErrorThatSaysHowToGetIt() {
        AmqpLadder ladder = withNothingInstalled(Map.of(AmqpServer.RABBITMQ_VARIABLE, "required"));

        assertThatThrownBy(ladder::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("OUTBOX_TEST_RABBITMQ is required, but there is no RabbitMQ: "
                        + "install rabbitmq-server, start a Docker engine or set OUTBOX_TEST_AMQP_URI");
    }

    private static AmqpLadder withNothingInstalled(Map<String, String> environment) {
        return new AmqpLadder(environment::get, () -> false, Optional::empty);
    }
}
