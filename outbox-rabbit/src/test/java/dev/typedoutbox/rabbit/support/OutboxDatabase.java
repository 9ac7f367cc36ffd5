package dev.typedoutbox.rabbit.support;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.servers.Database;
import dev.typedoutbox.servers.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A database of the test's own with the outbox's tables, behind a pool. */
public final class OutboxDatabase implements AutoCloseable {
    private final Database database;
    private final HikariDataSource pool;
    private final Outbox outbox = Outbox.create();

    /** Its copies are there sooner than migrations of their own. */
    private static final class Migrated {
        private static final Database ORIGINAL = migrated(PostgresServer.shared());
    }

    private OutboxDatabase(Database database) {
        this.database = database;
        this.pool = pool(direct("test"), 12);
    }

    public static OutboxDatabase create() {
        return new OutboxDatabase(PostgresServer.shared().createCopy("rabbit", Migrated.ORIGINAL));
    }

    public static OutboxDatabase on(PostgresServer server) {
        return new OutboxDatabase(migrated(server));
    }

    private static Database migrated(PostgresServer server) {
        Database database = server.createDatabase("rabbit");
        OutboxSchema.migrate(database.dataSource());
        return database;
    }

    public DataSource dataSource() {
        return pool;
    }

    /** Without a pool: each connection is a new one. Its name tells its sessions from others. */
    public PGSimpleDataSource direct(String applicationName) {
        return direct(database.jdbcUrl(), database.user(), database.password(), applicationName);
    }

    /** The same, for a process that knows of the database by its arguments alone. */
    public static PGSimpleDataSource direct(String jdbcUrl, String user, String password, String applicationName) {
        PGSimpleDataSource direct = new PGSimpleDataSource();
        direct.setURL(jdbcUrl);
        direct.setUser(user);
        direct.setPassword(password);
        direct.setApplicationName(applicationName);
        return direct;
    }

    /** A pool as an application has one, to be closed by the caller. */
    public static HikariDataSource pool(DataSource direct, int size) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(direct);
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(2_000);
        config.setValidationTimeout(1_000);
        return new HikariDataSource(config);
    }

    public Database database() {
        return database;
    }

    /** Writes events in one transaction, numbered within their aggregates. */
    public List<UUID> write(int number, int aggregates, String eventType) {
        List<NewEvent> events = IntStream.range(0, number)
                .mapToObj(i ->
                        NewEvent.of("order", "order-" + i % aggregates, eventType, Map.of("number", i / aggregates)))
                .toList();
        return inTransaction(tx -> outbox.publishAll(tx, events));
    }

    /** On a connection of its own: after an outage, a pool waits before it tries again, and hands out broken ones before. */
    public <T> T inTransaction(Work<T> work) {
        try (Connection connection = direct("test").getConnection()) {
            connection.setAutoCommit(false);
            T result = work.on(connection);
            connection.commit();
            return result;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    public void execute(String sql) {
        inTransaction(connection -> {
            try (Statement statement = connection.createStatement()) {
                return statement.execute(sql);
            }
        });
    }

    public long count(String fromWhere) {
        return inTransaction(connection -> {
            try (Statement statement = connection.createStatement();
                    ResultSet result = statement.executeQuery("select count(*) from " + fromWhere)) {
                result.next();
                return result.getLong(1);
            }
        });
    }

    public Set<UUID> ids(String fromWhere) {
        return inTransaction(connection -> {
            Set<UUID> ids = new HashSet<>();
            try (Statement statement = connection.createStatement();
                    ResultSet result = statement.executeQuery("select id from " + fromWhere)) {
                while (result.next()) {
                    ids.add(result.getObject(1, UUID.class));
                }
            }
            return ids;
        });
    }

    /** The time by the database's clock. */
    public Instant now() {
        return inTransaction(tx -> time(tx, "clock_timestamp()").orElseThrow());
    }

    /** When an event was first marked after the given time. */
    public Optional<Instant> firstMarkAfter(Instant time) {
        return inTransaction(
                tx -> time(tx, "min(processed_at) from outbox_events where processed_at > timestamptz '" + time + "'"));
    }

    private static Optional<Instant> time(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select " + query)) {
            result.next();
            return Optional.ofNullable(result.getObject(1, OffsetDateTime.class))
                    .map(OffsetDateTime::toInstant);
        }
    }

    public long pending() {
        return count("outbox_events where processed_at is null and dead_at is null");
    }

    public long failedAttempts() {
        return count("outbox_events where attempts > 0");
    }

    @Override
    public void close() {
        pool.close();
    }

    /** What is done in a transaction. */
    public interface Work<T> {
        T on(Connection connection) throws SQLException;
    }
}
