package dev.typedoutbox.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.typedoutbox.example.orders.OrderApplication;
import dev.typedoutbox.example.orders.Topology;
import dev.typedoutbox.servers.AmqpServer;
import dev.typedoutbox.servers.Database;
import dev.typedoutbox.servers.PostgresServer;
import java.io.File;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrderExampleTest {
    @Test
    void wholeFileGoesThroughServersThatTheExampleBrings() {
        Transcript transcript = new Transcript();

        assertThat(transcript.run()).describedAs(transcript.err()).isZero();
        assertThat(transcript.figure("orders placed")).isEqualTo(1_000);
        assertThat(transcript.figure("events written")).isEqualTo(2_355);
        assertAgreement(transcript);
        assertThat(transcript.err()).isEmpty();
    }

    @Test
    void secondRunOnTheSameServersCountsItsOwnOrdersAlone() throws Exception {
        Database database = PostgresServer.shared().createDatabase("example");
        String[] options = {
            "--jdbc-url", database.jdbcUrl(),
            "--jdbc-user", database.user(),
            "--jdbc-password", database.password(),
            "--amqp-uri", AmqpServer.shared().uri().toString(),
            "--orders", "50"
        };
        leaveMessageOfAnotherRun();
        Transcript first = new Transcript();
        Transcript second = new Transcript();

        assertThat(first.run(options)).describedAs(first.err()).isZero();
        assertThat(second.run(options)).describedAs(second.err()).isZero();

        assertThat(second.figure("orders placed")).isEqualTo(50);
        assertThat(second.figure("events written")).isEqualTo(first.figure("events written"));
        assertAgreement(first);
        assertAgreement(second);
    }

    @Test
    void signalClosesTheServiceInGoodOrder(@TempDir Path folder) throws Exception {
        File output = folder.resolve("output").toFile();
        Process example = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-classpath",
                        System.getProperty("java.class.path"),
                        FreshJvm.class.getName(),
                        "--orders",
                        "5",
                        "--serve")
                .redirectErrorStream(true)
                .redirectOutput(output)
                .start();
        try {
            await().atMost(Duration.ofMinutes(2)).until(() -> text(output).contains("until Ctrl-C"));
            await().until(() -> hearsOfTheRelay(adminPage(text(output))));
            example.destroy();
            assertThat(example.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(text(output)).contains("stopping").doesNotContain("Exception", "error:");
        } finally {
            example.destroyForcibly();
        }
    }

    @Test
    void helpNamesEveryOption() {
        Transcript transcript = new Transcript();

        assertThat(transcript.run("--help")).isZero();
        assertThat(transcript.out())
                .contains("--jdbc-url", "--jdbc-user", "--jdbc-password", "EXAMPLE_JDBC_PASSWORD")
                .contains("--amqp-uri", "--orders", "--serve", "--port", "--verbose", "Exit status");
    }

    private static void assertAgreement(Transcript transcript) {
        long written = transcript.figure("events written");
        long dropped = transcript.figure("duplicates dropped");
        assertThat(transcript.figure("events published")).isEqualTo(written);
        assertThat(transcript.figure("events applied")).isEqualTo(written);
        assertThat(transcript.figure("deliveries")).isEqualTo(written + dropped);
        assertThat(dropped).isPositive();
        assertThat(transcript.figure("order violations")).isZero();
        assertThat(transcript.figure("shipments")).isEqualTo(transcript.figure("orders placed"));
    }

    private static void leaveMessageOfAnotherRun() throws Exception {
        ConnectionFactory broker = new ConnectionFactory();
        broker.setUri(AmqpServer.shared().uri());
        OrderApplication.declareTopology(broker);
        BasicProperties properties = new BasicProperties.Builder()
                .messageId(UUID.randomUUID().toString())
                .type("order.paid")
                .headers(Map.of("aggregate_id", UUID.randomUUID().toString(), "seq", 7L))
                .build();
        try (Connection connection = broker.newConnection();
                Channel channel = connection.createChannel()) {
            channel.basicPublish("", Topology.QUEUE, properties, "{}".getBytes(StandardCharsets.UTF_8));
        }
    }

    private static URI adminPage(String output) {
        Matcher line = Pattern.compile("admin page at (\\S+)").matcher(output);
        assertThat(line.find()).isTrue();
        return URI.create(line.group(1));
    }

    /** Whether the page tells of seconds in which the relay published. */
    private static boolean hearsOfTheRelay(URI adminPage) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(adminPage.resolve("api/stream")).build();
        try (Stream<String> lines =
                HttpClient.newHttpClient().send(request, BodyHandlers.ofLines()).body()) {
            return lines.filter(line -> line.startsWith("data: "))
                    .findFirst()
                    .orElseThrow()
                    .contains("\"seconds\":[[");
        }
    }

    private static String text(File file) throws Exception {
        return Files.readString(file.toPath());
    }
}
