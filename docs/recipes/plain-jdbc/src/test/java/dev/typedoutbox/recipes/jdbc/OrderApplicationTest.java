package dev.typedoutbox.recipes.jdbc;

import static dev.typedoutbox.testkit.outbox.OutboxAssertions.assertThatOutbox;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import dev.typedoutbox.servers.Database;
import dev.typedoutbox.servers.PostgresServer;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** The whole application, which makes all tables in an empty database. */
class OrderApplicationTest {
    private final Database database = PostgresServer.shared().createDatabase("jdbc");

    @Test
    void eventIsPublishedWhileTheApplicationRuns() throws SQLException {
        InMemoryPublisher broker = new InMemoryPublisher();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(database.user());
        config.setPassword(database.password());

        try (OrderApplication application = new OrderApplication(config, database.dataSource(), broker)) {
            fillTheStock();
            application.orders().place(new Order("4711", "cup", 2));

            await().untilAsserted(() -> assertThatOutbox(database.dataSource())
                    .processed()
                    .hasEvent("order.placed")
                    .forAggregate("order", "4711")
                    .once());
        }
    }

    private void fillTheStock() throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("insert into stock values ('cup', 10)");
        }
    }
}
