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
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A database of the test's own, written to with plain SQL, as a service in any language does.
 */
final class TestOutbox {
    private final String jdbcUrl;
    private final String user;
    private final String password;

    private TestOutbox(String jdbcUrl, String user, String password) {
        this.jdbcUrl = jdbcUrl;
        this.user = user;
        this.password = password;
    }

    static TestOutbox create() {
        return on(PostgresServer.shared());
    }

    static TestOutbox on(PostgresServer server) {
        return withoutTables(server).migrated();
    }

    /** In a database of a name that others have, too, on other servers. */
    static TestOutbox named(String name, PostgresServer server) {
        new TestOutbox(server.jdbcUrl(), server.user(), server.password()).execute("create database " + name);
        String url = server.jdbcUrl().replaceFirst("/postgres\\b", "/" + name);
        return new TestOutbox(url, server.user(), server.password()).migrated();
    }

    private TestOutbox migrated() {
        OutboxSchema.migrate(dataSource());
        return this;
    }

    static TestOutbox withoutTables() {
        return withoutTables(PostgresServer.shared());
    }

    private static TestOutbox withoutTables(PostgresServer server) {
        Database database = server.createDatabase("standalone");
        return new TestOutbox(database.jdbcUrl(), database.user(), database.password());
    }

    String jdbcUrl() {
        return jdbcUrl;
    }

    private PGSimpleDataSource dataSource() {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setURL(jdbcUrl);
        dataSource.setUser(user);
        dataSource.setPassword(password);
        return dataSource;
    }

    /** What a command needs to find it. */
    Map<String, String> environment() {
        return password.isEmpty()
                ? Map.of("OUTBOX_JDBC_URL", jdbcUrl, "OUTBOX_JDBC_USER", user)
                : Map.of("OUTBOX_JDBC_URL", jdbcUrl, "OUTBOX_JDBC_USER", user, "OUTBOX_JDBC_PASSWORD", password);
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
                        + " select 'order', n, '" + eventType
                        + "', json_build_object('secret', 'of customer ' || n), 8,"
                        + " now() - interval '1 hour', '" + error + "' from generate_series(1, " + number
                        + ") n returning id",
                UUID.class);
    }

    void execute(String sql) {
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    long count(String condition) {
        return column("select count(*) from outbox_events where " + condition, Long.class)
                .get(0);
    }

    <T> List<T> column(String sql, Class<T> type) {
        try (Connection connection = dataSource().getConnection();
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
