package dev.typedoutbox.admin;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.servers.Database;
import dev.typedoutbox.servers.PostgresServer;
import dev.typedoutbox.servers.TcpProxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A database with an outbox that one test has for itself. */
final class AdminDatabase {
    private final Database database = PostgresServer.shared().createCopy("admin", Migrated.ORIGINAL);
    private final Outbox outbox = Outbox.create();

    /** Its copies are there sooner than migrations of their own. */
    private static final class Migrated {
        private static final Database ORIGINAL = PostgresServer.shared().createDatabase("admin");

        static {
            OutboxSchema.migrate(ORIGINAL.dataSource());
        }
    }

    private AdminDatabase() {}

    static AdminDatabase create() {
        return new AdminDatabase();
    }

    DataSource dataSource() {
        return database.dataSource();
    }

    /** A proxy before the server, to be used with {@link #dataSourceThrough}. */
    TcpProxy proxy() {
        PGSimpleDataSource direct = (PGSimpleDataSource) database.dataSource();
        return TcpProxy.to(direct.getServerNames()[0], direct.getPortNumbers()[0]);
    }

    DataSource dataSourceThrough(TcpProxy proxy) {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setURL(database.jdbcUrl());
        dataSource.setUser(database.user());
        dataSource.setPassword(database.password());
        dataSource.setServerNames(new String[] {"127.0.0.1"});
        dataSource.setPortNumbers(new int[] {proxy.port()});
        dataSource.setConnectTimeout(1);
        dataSource.setSocketTimeout(2);
        return dataSource;
    }

    /** Writes an event of the order in a transaction of its own. */
    UUID publish(String orderId, String eventType) {
        return inTransaction(
                tx -> outbox.publish(tx, NewEvent.of("order", orderId, eventType, Map.of("order", orderId))));
    }

    /** Writes an event that was given up, as a relay would leave it. */
    UUID dead(String orderId, String eventType, String error) {
        return dead(orderId, eventType, error, "{\"total\": 1.10}");
    }

    UUID dead(String orderId, String eventType, String error, String payload) {
        return UUID.fromString(value(
                "insert into outbox_events (aggregate_type, aggregate_id, event_type, payload, headers, attempts, dead_at,"
                        + " last_error) values ('order', ?, ?, ?::jsonb, '{\"tenant\": \"blue\"}', 3, now(), ?)"
                        + " returning id",
                orderId,
                eventType,
                payload,
                error));
    }

    void execute(String sql) {
        inTransaction(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                return statement.execute();
            }
        });
    }

    int count(String condition) {
        return Integer.parseInt(value("select count(*) from outbox_events where " + condition));
    }

    String value(String sql, String... parameters) {
        return inTransaction(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                for (int i = 0; i < parameters.length; i++) {
                    statement.setString(i + 1, parameters[i]);
                }
                try (ResultSet result = statement.executeQuery()) {
                    result.next();
                    return String.valueOf(result.getString(1));
                }
            }
        });
    }

    private <T> T inTransaction(Work<T> work) {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            T result = work.on(connection);
            connection.commit();
            return result;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What is done in a transaction. */
    private interface Work<T> {
        T on(Connection connection) throws SQLException;
    }
}
