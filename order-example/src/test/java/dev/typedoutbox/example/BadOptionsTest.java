package dev.typedoutbox.example;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.ConnectionFactory;
import dev.typedoutbox.example.orders.Topology;
import dev.typedoutbox.servers.AmqpServer;
import dev.typedoutbox.servers.Database;
import dev.typedoutbox.servers.PostgresServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BadOptionsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --jdbc-url jdbc:mysql://u:secret@h/x           | --jdbc-url must be jdbc:postgresql://host:port/database
                    --jdbc-url jdbc:postgresql://h:99999/x?password=secret | (was "jdbc:postgresql://h:99999/x?password=***")
                    --jdbc-user u                                  | --jdbc-user must come with --jdbc-url
                    --amqp-uri http://u:secret@h                   | --amqp-uri must be amqp://user:password@host:port/vi
                    --amqp-uri amqp://u:secret@h:abc               | (was "amqp://***@h:abc")
                    --amqp-uri amqp://u:secret@h:70000             | --amqp-uri must be amqp://user:password@host:port/vi
                    --port 70000                                   | must be a whole number from 0 to 65535 (was "70000")
                    --port x                                       | '--port': must be a whole number
                    --orders 0                                     | must be a whole number from 1 to 1000 (was "0")
                    --order=5                                      | Unknown option: '--order=5'
                    nonsense                                       | Unmatched argument at index 0: 'nonsense'
                    --jdbc-url                                     | Missing required parameter for option '--jdbc-url'
                    """)
    void wrongOptionIsNamed(String options, String error) {
        assertFails(ExampleFailure.BAD_OPTION, error, options.split(" ", -1));
    }

    @Test
    void unreachableServersAreNamed() {
        assertFails(
                ExampleFailure.FAILED,
                "--jdbc-url must name a PostgreSQL that answers and works (was 127.0.0.1:1/x: connection refused)",
                "--jdbc-url",
                "jdbc:postgresql://127.0.0.1:1/x");
        assertFails(
                ExampleFailure.FAILED,
                "--jdbc-url must name a PostgreSQL that answers and works (was no.invalid:5432/x: unknown host)",
                "--jdbc-url",
                "jdbc:postgresql://no.invalid/x");
        assertFails(
                ExampleFailure.FAILED,
                "(was 127.0.0.1:1, virtual host \"/\": connection refused)",
                "--amqp-uri",
                "amqp://guest:secret@127.0.0.1:1");
    }

    @Test
    void unknownDatabaseIsNamed() {
        Database database = PostgresServer.shared().createDatabase("example");

        assertFails(
                ExampleFailure.FAILED,
                "--jdbc-url must name a database that exists (was ",
                "--jdbc-url",
                database.jdbcUrl().replace(database.name(), "no_such_database"),
                "--jdbc-user",
                database.user(),
                "--jdbc-password",
                database.password());
    }

    @Test
    void wrongPasswordsAreNamedAndNotShown() throws Exception {
        try (PostgresServer server = PostgresServer.startFromBinaries()) {
            requirePasswords(server);
            assertFails(
                    ExampleFailure.FAILED,
                    "--jdbc-user and --jdbc-password must be a login that PostgreSQL accepts (was user \"orders\"",
                    "--jdbc-url",
                    server.jdbcUrl(),
                    "--jdbc-user",
                    "orders",
                    "--jdbc-password",
                    "secret");
        }
        URI broker = AmqpServer.shared().uri();
        assertFails(
                ExampleFailure.FAILED,
                "--amqp-uri must have a user and a password that the broker accepts (was user \"guest\" at ",
                "--amqp-uri",
                "amqp://guest:secret@" + broker.getHost() + ":" + broker.getPort());
    }

    @Test
    void roleThatMayNotCreateTablesIsNamed() throws Exception {
        Database database = PostgresServer.shared().createDatabase("example");
        String role = database.name() + "_role";
        execute(database.dataSource(), "create role " + role + " login password 'secret'");
        try {
            execute(database.dataSource(), "revoke create on schema public from public");
            assertFails(
                    ExampleFailure.FAILED,
                    "the role of --jdbc-user must be allowed to create tables in schema public (was \"" + role + "\"",
                    "--jdbc-url",
                    database.jdbcUrl(),
                    "--jdbc-user",
                    role,
                    "--jdbc-password",
                    "secret");
        } finally {
            execute(database.dataSource(), "drop role " + role);
        }
    }

    @Test
    void exchangeThatExistsOtherwiseIsNamed() throws Exception {
        Database database = PostgresServer.shared().createDatabase("example");
        try (AmqpServer server = AmqpServer.startEmbedded()) {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(server.uri());
            try (var connection = factory.newConnection()) {
                connection.createChannel().exchangeDeclare(Topology.EXCHANGE, BuiltinExchangeType.DIRECT, true);
            }
            assertFails(
                    ExampleFailure.FAILED,
                    "exchange \"orders\" must be durable and of type topic (was refused: ",
                    "--jdbc-url",
                    database.jdbcUrl(),
                    "--jdbc-user",
                    database.user(),
                    "--jdbc-password",
                    database.password(),
                    "--amqp-uri",
                    server.uri().toString());
        }
    }

    @Test
    void portInUseIsNamed() throws Exception {
        Database database = PostgresServer.shared().createDatabase("example");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertFails(
                    ExampleFailure.FAILED,
                    "--port must be free (was " + taken.getLocalPort() + ", in use)",
                    "--jdbc-url",
                    database.jdbcUrl(),
                    "--jdbc-user",
                    database.user(),
                    "--jdbc-password",
                    database.password(),
                    "--amqp-uri",
                    AmqpServer.shared().uri().toString(),
                    "--port",
                    String.valueOf(taken.getLocalPort()));
        }
    }

    private static void assertFails(int status, String error, String... options) {
        Transcript transcript = new Transcript();
        assertThat(transcript.run(options)).describedAs(transcript.err()).isEqualTo(status);
        assertThat(transcript.err()).startsWith("error: ").contains(error).hasLineCount(1);
        assertThat(transcript.err() + transcript.out()).doesNotContain("Exception", "secret");
    }

    private static void requirePasswords(PostgresServer server) throws Exception {
        execute(server.dataSource(), "create role orders login password 'right'");
        Path rules = Path.of(
                (String) DSL.using(server.dataSource(), SQLDialect.POSTGRES).fetchValue("show hba_file"));
        prepend(rules, "host all orders all scram-sha-256\n");
        execute(server.dataSource(), "select pg_reload_conf()");
    }

    private static void prepend(Path file, String line) throws IOException {
        Files.writeString(file, line + Files.readString(file));
    }

    private static void execute(DataSource database, String sql) throws Exception {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
