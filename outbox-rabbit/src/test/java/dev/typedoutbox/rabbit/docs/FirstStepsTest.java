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
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** The code of docs/quickstart.md. */
class FirstStepsTest {

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
        PGSimpleDataSource unpooled = new PGSimpleDataSource();
        unpooled.setURL(jdbcUrl); // jdbc:postgresql://localhost:5432/orders
        unpooled.setUser(user);
        unpooled.setPassword(password);

        HikariConfig pooled = new HikariConfig();
        pooled.setDataSource(unpooled);
        HikariDataSource dataSource = new HikariDataSource(pooled);

        ConnectionFactory rabbit = new ConnectionFactory();
        rabbit.setUri(amqpUri); // amqp://user:password@localhost:5672/%2F
        try (dataSource;
                Connection connection = rabbit.newConnection()) {
            assertThat(connection.isOpen()).isTrue();
            OutboxSchema.validate(dataSource); // tells what is missing
            database.execute("drop table processed_events");
            assertThatThrownBy(() -> OutboxSchema.validate(dataSource))
                    .isInstanceOf(OutboxSchemaException.class)
                    .hasMessageContaining("processed_events");
        }
    }
}
