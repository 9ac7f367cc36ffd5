package dev.typedoutbox.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ConnectException;
import org.junit.jupiter.api.Test;

class BrokerJTest {

    @Test
    void messageIsPublishedAndGotUntilTheBrokerIsClosed() throws Exception {
        AmqpServer server = AmqpServer.startEmbedded();
        try (server;
                Mailbox mailbox = new Mailbox(server.uri(), "published")) {
            mailbox.send("hello");

            assertThat(mailbox.take()).contains("hello");
        }
        assertThatThrownBy(() -> AmqpGreeting.of(server.uri())).isInstanceOf(ConnectException.class);
    }

    @Test
    void brokerIsNoRabbitMqAndCannotBeControlled() {
        try (AmqpServer server = AmqpServer.startEmbedded()) {
            assertThat(server.isRabbitMq()).isFalse();
            assertThat(server.isControllable()).isFalse();
            assertThatThrownBy(server::freeze)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessage("Apache Qpid Broker-J, which runs inside this JVM, cannot be frozen from here");
        }
    }
}
