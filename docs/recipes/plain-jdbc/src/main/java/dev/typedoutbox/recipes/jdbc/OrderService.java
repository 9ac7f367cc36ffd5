package dev.typedoutbox.recipes.jdbc;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Orders, each with its event in one transaction. */
final class OrderService {
    private final DataSource pool;
    private final Outbox outbox = Outbox.create();

    OrderService(DataSource pool) {
        this.pool = pool;
    }

    void place(Order order) throws SQLException {
        try (Connection tx = pool.getConnection()) {
            tx.setAutoCommit(false);
            try {
                insert(tx, order);
                outbox.publish(tx, NewEvent.of("order", order.id(), "order.placed", order));
                takeFromStock(tx, order);
                tx.commit();
            } catch (SQLException | RuntimeException e) {
                tx.rollback();
                throw e;
            }
        }
    }

    private static void insert(Connection tx, Order order) throws SQLException {
        try (PreparedStatement statement = tx.prepareStatement("insert into orders values (?, ?, ?)")) {
            statement.setString(1, order.id());
            statement.setString(2, order.product());
            statement.setInt(3, order.quantity());
            statement.executeUpdate();
        }
    }

    private static void takeFromStock(Connection tx, Order order) throws SQLException {
        try (PreparedStatement statement =
                tx.prepareStatement("update stock set quantity = quantity - ? where product = ? and quantity >= ?")) {
            statement.setInt(1, order.quantity());
            statement.setString(2, order.product());
            statement.setInt(3, order.quantity());
            if (statement.executeUpdate() == 0) {
                throw new OutOfStockException(order);
            }
        }
    }
}
