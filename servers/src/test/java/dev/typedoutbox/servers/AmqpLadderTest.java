package dev.typedoutbox.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    @Test
    void namedServerIsTakenEvenWhereDockerAnswers(@TempDir Path folder) throws Exception {
        Path script = Files.writeString(folder.resolve("rabbitmq-server"), "#!/bin/sh\necho told to start\n");
        script.toFile().setExecutable(true);
        Map<String, String> environment = Map.of(AmqpServer.SERVER_VARIABLE, script.toString());
        AmqpLadder ladder =
                new AmqpLadder(environment::get, () -> true, () -> RabbitInstallation.findScript(environment::get));

        assertThatThrownBy(ladder::start).hasMessageContaining("told to start");
    }

    @Test
    void namedServerThatCannotBeStartedIsAnError(@TempDir Path folder) {
        Map<String, String> environment = Map.of(AmqpServer.SERVER_VARIABLE, folder.toString());

        assertThatThrownBy(() -> RabbitInstallation.findScript(environment::get))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("OUTBOX_TEST_RABBITMQ_SERVER must name an executable file (was " + folder + ")");
    }

    private static AmqpLadder withNothingInstalled(Map<String, String> environment) {
        return new AmqpLadder(environment::get, () -> false, Optional::empty);
    }
}
