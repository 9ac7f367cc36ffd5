package dev.typedoutbox.recipes.jdbc;

import static dev.typedoutbox.testkit.outbox.OutboxAssertions.assertThatEvents;
import static dev.typedoutbox.testkit.outbox.OutboxAssertions.assertThatOutbox;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.NewEvent;
import dev.typedoutbox.NoTransactionException;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.testkit.InMemoryPublisher;
import dev.typedoutbox.testkit.junit.OutboxDatabaseExtension;
import dev.typedoutbox.testkit.outbox.SteppableRelay;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OrderServiceTest {
    private static final Order TWO_CUPS = new Order("4711", "cup", 2);
    private static final Order TOO_MANY_CUPS = new Order("4712", "cup", 1000);

    private static final NewEvent EVENT = NewEvent.of("order", "4711", "order.placed", TWO_CUPS);

    @RegisterExtension
    static final OutboxDatabaseExtension DATABASE = OutboxDatabaseExtension.builder()
            .setUp(dataSource ->
                    Flyway.configure().dataSource(dataSource).load().migrate()) // your tables
            .build();

    private final OrderService orders = new OrderService(DATABASE.dataSource());

    @Test
    void placedOrderIsARowAndAPublishedEvent() throws SQLException {
        InMemoryPublisher broker = new InMemoryPublisher();
        orders.place(TWO_CUPS);

        SteppableRelay.create(DATABASE.dataSource(), broker).publishDue();

        assertThat(placedOrders()).isEqualTo(1);
        assertThatEvents(broker.published())
                .hasEvent("order.placed")
                .forAggregate("order", "4711")
                .withPayloadEqualTo(TWO_CUPS)
                .once();
    }

    @Test
    void orderThatIsRolledBackIsNeitherARowNorAnEvent() throws SQLException {
        assertThatThrownBy(() -> orders.place(TOO_MANY_CUPS)).isInstanceOf(OutOfStockException.class);

        assertThat(placedOrders()).isZero();
        assertThatOutbox(DATABASE.dataSource()).isEmpty();
    }

    @BeforeEach
    void emptyOrdersAndFillTheStock() throws SQLException {
        try (Connection connection = DATABASE.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("truncate orders, stock");
            statement.execute("insert into stock values ('cup', 10)");
        }
    }

    @Test
    void connectionWithoutATransactionIsRefused() throws SQLException {
        try (Connection autoCommit = DATABASE.dataSource().getConnection()) {
            assertThatThrownBy(() -> Outbox.create().publish(autoCommit, EVENT))
                    .isInstanceOf(NoTransactionException.class);
        }
        assertThatOutbox(DATABASE.dataSource()).isEmpty();
    }

    @Test
    void poolWithoutAutoCommitRollsAForgottenCommitBack() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setDataSource(DATABASE.dataSource());
        config.setAutoCommit(false);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            try (Connection forgotten = pool.getConnection()) {
                Outbox.create().publish(forgotten, EVENT);
            }
            assertThatOutbox(pool).isEmpty();
            try (Connection tx = pool.getConnection()) {
                Outbox.create().publish(tx, EVENT);
                tx.commit();
            }
        }
        assertThatOutbox(DATABASE.dataSource()).hasSize(1);
    }

    private static int placedOrders() throws SQLException {
        try (Connection connection = DATABASE.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select count(*) from orders")) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
