package dev.typedoutbox.standalone;

import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.servers.Database;
import dev.typedoutbox.servers.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A database of the test's own, written to with plain SQL, as a service in any language does. */
final class TestOutbox {
    private final Database database;

    private TestOutbox(Database database) {
        this.database = database;
    }

    static TestOutbox create() {
        return on(PostgresServer.shared());
    }

    static TestOutbox on(PostgresServer server) {
        TestOutbox outbox = withoutTables(server);
        OutboxSchema.migrate(outbox.database.dataSource());
        return outbox;
    }

    static TestOutbox withoutTables() {
        return withoutTables(PostgresServer.shared());
    }

    private static TestOutbox withoutTables(PostgresServer server) {
        return new TestOutbox(server.createDatabase("standalone"));
    }

    Database database() {
        return database;
    }

    /** What a command needs to find it. */
    Map<String, String> environment() {
        return database.password().isEmpty()
                ? Map.of("OUTBOX_JDBC_URL", database.jdbcUrl(), "OUTBOX_JDBC_USER", database.user())
                : Map.of(
                        "OUTBOX_JDBC_URL", database.jdbcUrl(),
                        "OUTBOX_JDBC_USER", database.user(),
                        "OUTBOX_JDBC_PASSWORD", database.password());
    }

    /** Writes events, spread over ten orders, and returns their ids. */
    List<UUID> insert(int number, String eventType) {
        return column(
                "insert into outbox_events (aggregate_type, aggregate_id, event_type, payload)"
                        + " select 'order', n % 10, '" + eventType + "', json_build_object('number', n)"
                        + " from generate_series(1, " + number + ") n returning id",
                UUID.class);
    }

    /** Writes dead letters, and returns their ids in the order of their numbers. */
    List<UUID> insertDead(int number, String eventType, String error) {
        return column(
                "insert into outbox_events (aggregate_type, aggregate_id, event_type, payload, attempts, dead_at, last_error)"
                        + " select 'order', n, '" + eventType + "', json_build_object('secret', 'of customer ' || n), 8,"
                        + " now() - interval '1 hour', '" + error + "' from generate_series(1, " + number
                        + ") n returning id",
                UUID.class);
    }

    void execute(String sql) {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    long count(String condition) {
        return column("select count(*) from outbox_events where " + condition, Long.class).get(0);
    }

    <T> List<T> column(String sql, Class<T> type) {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<T> column = new ArrayList<>();
            while (rows.next()) {
                column.add(rows.getObject(1, type));
            }
            return column;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
