package dev.typedoutbox.rabbit.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.db.OutboxSchemaException;
import dev.typedoutbox.rabbit.support.OutboxDatabase;
import dev.typedoutbox.servers.AmqpServer;
import dev.typedoutbox.servers.Database;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** The code of docs/quickstart.md. */
class FirstStepsTest {
    private static final Path PAGE = Path.of("../docs/quickstart.md");

    @Test
    void databaseAndBrokerAreReached() throws Exception {
        try (OutboxDatabase database = OutboxDatabase.create()) {
            Database server = database.database();
            String amqpUri = AmqpServer.shared().uri().toString();
            setUp(server.jdbcUrl(), server.user(), server.password(), amqpUri, database);
        }
    }

    private static void setUp(String jdbcUrl, String user, String password, String amqpUri, OutboxDatabase database)
            throws Exception {
        // connections
        PGSimpleDataSource unpooled = new PGSimpleDataSource();
        unpooled.setURL(jdbcUrl); // jdbc:postgresql://localhost:5432/orders
        unpooled.setUser(user);
        unpooled.setPassword(password);

        HikariConfig pooled = new HikariConfig();
        pooled.setDataSource(unpooled);
        HikariDataSource dataSource = new HikariDataSource(pooled);

        ConnectionFactory rabbit = new ConnectionFactory();
        rabbit.setUri(amqpUri); // amqp://user:password@localhost:5672/%2F
        // end of connections
        try (dataSource;
                Connection connection = rabbit.newConnection()) {
            assertThat(connection.isOpen()).isTrue();
            // check
            OutboxSchema.validate(dataSource); // tells what is missing
            // end of check
            database.execute("drop table processed_events");
            assertThatThrownBy(() -> OutboxSchema.validate(dataSource))
                    .isInstanceOf(OutboxSchemaException.class)
                    .hasMessageContaining("processed_events");
        }
    }

    @Test
    void pageShowsTheCodeOfThisClass() throws IOException {
        assertThat(Files.readString(PAGE))
                .contains(Snippet.of(FirstStepsTest.class, "connections"))
                .contains(Snippet.of(FirstStepsTest.class, "check"));
    }
}
