package dev.typedoutbox.recipes.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.NewEvent;
import dev.typedoutbox.NoTransactionException;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.servers.Database;
import dev.typedoutbox.servers.PostgresServer;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OrderApplicationTest {
    private static final Order TWO_CUPS = new Order("4711", "cup", 2);
    private static final Order TOO_MANY_CUPS = new Order("4712", "cup", 1000);

    private static final NewEvent EVENT = NewEvent.of("order", "4711", "order.placed", TWO_CUPS);

    private final Database database = PostgresServer.shared().createDatabase("jdbc");
    private final DSLContext rows = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
    private final InMemoryPublisher broker = new InMemoryPublisher();
    private final OrderApplication application =
            new OrderApplication(settings(database), database.dataSource(), broker);

    private static HikariConfig settings(Database database) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(database.user());
        config.setPassword(database.password());
        return config;
    }

    @BeforeEach
    void fillTheStock() throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("insert into stock values ('cup', 10)");
        }
    }

    @AfterEach
    void close() {
        application.close();
    }

    @Test
    void placedOrderIsARowAndAPublishedEvent() throws SQLException {
        application.orders().place(TWO_CUPS);

        assertThat(count("orders where id = '4711'")).isEqualTo(1);
        await().until(() -> broker.sent().size() == 1);
        OutboxEvent event = broker.sent().get(0);
        assertThat(event.eventType()).isEqualTo("order.placed");
        assertThat(event.payloadAs(Order.class)).isEqualTo(TWO_CUPS);
        await().until(() -> count("outbox_events where processed_at is not null") == 1);
    }

    @Test
    void orderThatIsRolledBackIsNeitherARowNorAnEvent() {
        assertThatThrownBy(() -> application.orders().place(TOO_MANY_CUPS)).isInstanceOf(OutOfStockException.class);

        assertThat(count("orders")).isZero();
        assertThat(count("outbox_events")).isZero();
    }

    @Test
    void connectionWithoutATransactionIsRefused() throws SQLException {
        try (Connection autoCommit = database.dataSource().getConnection()) {
            assertThatThrownBy(() -> Outbox.create().publish(autoCommit, EVENT))
                    .isInstanceOf(NoTransactionException.class);
        }
        assertThat(count("outbox_events")).isZero();
    }

    @Test
    void poolWithoutAutoCommitRollsAForgottenCommitBack() throws SQLException {
        HikariConfig config = settings(database);
        config.setAutoCommit(false);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            try (Connection forgotten = pool.getConnection()) {
                Outbox.create().publish(forgotten, EVENT);
            }
            assertThat(count("outbox_events")).isZero();
            try (Connection tx = pool.getConnection()) {
                Outbox.create().publish(tx, EVENT);
                tx.commit();
            }
        }
        assertThat(count("outbox_events")).isEqualTo(1);
    }

    private int count(String rowsOf) {
        return rows.fetchSingle("select count(*)::int from " + rowsOf).into(int.class);
    }
}
