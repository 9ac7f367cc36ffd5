package dev.typedoutbox.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.net.ConnectException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RabbitNodeTest {

    private static AmqpServer server;

    @BeforeAll
    static void startServer() {
        Optional<Path> installed = RabbitInstallation.findScript(System::getenv);
        assumeTrue(
                installed.isPresent() || "required".equals(System.getenv(AmqpServer.RABBITMQ_VARIABLE)),
                AmqpServer.HOW_TO_GET_RABBITMQ);
        server = new AmqpLadder(name -> null, () -> false, () -> installed).start();
    }

    @AfterAll
    static void closeServer() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void messageIsPublishedAndGot() throws Exception {
        try (Mailbox mailbox = new Mailbox(server.uri(), "published")) {
            mailbox.send("hello");

            assertThat(mailbox.take()).contains("hello");
        }
        assertThat(server.isRabbitMq()).isTrue();
        assertThat(server.isControllable()).isTrue();
    }

    @Test
    void durableMessageSurvivesStopAndResume() throws Exception {
        try (Mailbox mailbox = new Mailbox(server.uri(), "stopped")) {
            mailbox.send("kept at stop");

            server.stop();

            assertThatThrownBy(() -> AmqpGreeting.of(server.uri())).isInstanceOf(ConnectException.class);
        }
        server.resume();
        assertThatMailboxHolds("stopped", "kept at stop");
    }

    @Test
    void durableMessageSurvivesKillAndResume() throws Exception {
        // RabbitMQ writes what was declared to its disk a while later, so a queue must not be as young as the message.
        new Mailbox(server.uri(), "killed").close();
        server.stop();
        server.resume();
        try (Mailbox mailbox = new Mailbox(server.uri(), "killed")) {
            mailbox.send("kept at kill");

            server.kill();

            await().until(() -> !mailbox.isOpen());
        }
        server.resume();
        assertThatMailboxHolds("killed", "kept at kill");
    }

    @Test
    void killedServerCanBeResumedAtOnce() throws Exception {
        server.kill();
        server.resume();

        assertThat(AmqpGreeting.of(server.uri()).isFromRabbitMq()).isTrue();
    }

    @Test
    void frozenServerAcceptsButAnswersOnlyAfterThaw() throws Exception {
        try (Mailbox mailbox = new Mailbox(server.uri(), "frozen")) {
            server.freeze();
            try {
                assertThatThrownBy(() -> mailbox.send("frozen", 300)).isInstanceOf(TimeoutException.class);
            } finally {
                server.thaw();
            }
        }
        assertThatMailboxHolds("frozen", "frozen");
    }

    @Test
    void serverClosesAllItsConnections() throws Exception {
        try (Mailbox mailbox = new Mailbox(server.uri(), "closed")) {
            server.closeConnections();

            await().until(() -> !mailbox.isOpen());
        }
    }

    @Test
    void memoryAlarmHoldsBackWhoPublishesUntilItIsCleared() throws Exception {
        try (Mailbox mailbox = new Mailbox(server.uri(), "alarm")) {
            server.raiseMemoryAlarm();
            try {
                assertThatThrownBy(() -> mailbox.send("held back", 300)).isInstanceOf(TimeoutException.class);
            } finally {
                server.clearMemoryAlarm();
            }
        }
        assertThatMailboxHolds("alarm", "held back");
    }

    @Test
    void expressionIsEvaluatedInsideTheServer() {
        server.evaluate("true = is_list(rabbit_amqqueue:list()).");

        assertThatThrownBy(() -> server.evaluate("1 = 2.")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void nodeWithTlsIsReachedByWhoTrustsItsCertificateAlone() throws Exception {
        try (AmqpServer secure = AmqpServer.startWithTls().orElseThrow()) {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(secure.tlsUri());
            factory.useSslProtocol(SSLContext.getDefault());
            assertThatThrownBy(factory::newConnection).isInstanceOf(SSLHandshakeException.class);

            factory.useSslProtocol(secure.tlsContext());
            factory.enableHostnameVerification();
            try (Connection connection = factory.newConnection()) {
                assertThat(connection.isOpen()).isTrue();
            }
        }
        assertThatThrownBy(server::tlsUri).hasMessage("The RabbitMQ node cannot be reached over TLS from here");
    }

    @Test
    void commandThatFailsSaysWhy() {
        RabbitNode node =
                RabbitNode.start(RabbitInstallation.findScript(System::getenv).orElseThrow());
        try {
            assertThatThrownBy(() -> node.administer("rabbitmqctl", "no_such_command"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no_such_command");
        } finally {
            node.close();
        }
    }

    @Test
    void serverThatEndsByItselfIsReportedAtOnce() {
        RabbitNode node = RabbitNode.start(Path.of("/bin/false"));

        assertThatThrownBy(() -> AmqpServer.ready(node, AmqpServer.localUri("127.0.0.1", node.port()), true))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("RabbitMQ ended");
    }

    private static void assertThatMailboxHolds(String queue, String text) throws Exception {
        try (Mailbox mailbox = new Mailbox(server.uri(), queue)) {
            assertThat(mailbox.take()).contains(text);
        }
    }
}
