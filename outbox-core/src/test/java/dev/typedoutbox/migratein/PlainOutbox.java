package dev.typedoutbox.migratein;

import static dev.typedoutbox.relay.RelayFixture.eventually;

import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.servers.Database;
import dev.typedoutbox.servers.PostgresServer;
import dev.typedoutbox.support.OutboxDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A service's database with the outbox table that articles show, and what its operator does to it. */
final class PlainOutbox {
    static final String COLUMNS = """
            id uuid primary key, aggregate_type varchar(100) not null, aggregate_id varchar(100) not null,
            event_type varchar(100) not null, payload jsonb not null, attempts int not null default 0,
            created_at timestamptz not null default now(), processed_at timestamptz
            """;

    private static final String WAITING_FOR_LOCKS = "select count(*) from pg_locks where not granted and database ="
            + " (select oid from pg_database where datname = current_database())";
    private static final int AGGREGATES = 500;

    private final Database database = PostgresServer.shared().createDatabase("plain");
    private final Place place;
    private final DataSource owner;
    private final DataSource writer;

    PlainOutbox(Place place) {
        this(place, COLUMNS);
    }

    PlainOutbox(Place place, String columns) {
        this.place = place;
        execute("create schema if not exists " + place.schema());
        execute("create table " + place.inSql() + " (" + columns + ")");
        execute("create index idx_outbox_unprocessed on " + place.inSql() + " (created_at) where processed_at is null");
        this.owner = asNewRole("alter table " + place.inSql() + " owner to ");
        this.writer = asNewRole(
                "grant insert (id, aggregate_type, aggregate_id, event_type, payload) on " + place.inSql() + " to ");
    }

    /** Half of the rows were published long ago. Their places in the table tell nothing of their order. */
    void fill(int rows) {
        execute("insert into " + place.inSql()
                + " (id, aggregate_type, aggregate_id, event_type, payload, created_at, processed_at)"
                + " select gen_random_uuid(), 'order', n % " + AGGREGATES + ", 'order.changed', to_jsonb(n),"
                + " now() - interval '1 day' + n * interval '1 ms', case when n <= " + rows / 2 + " then now() end"
                + " from generate_series(1, " + rows + ") n order by random()");
    }

    /** One writes as the table's owner, another with no right but to insert. */
    PlainWriters startWriters() {
        return new PlainWriters(List.of(owner, writer), place);
    }

    /** The steps of the page. */
    void migrateIn(Map<String, String> settings) {
        if (place == Place.OTHER_SCHEMA) {
            OutboxSchema.migrate(dataSource());
        }
        boolean migrated =
                !value("select to_regclass('public.processed_events')").equals("null");
        run(
                MigrationPage.filesUnder("Switch").stream()
                        .filter(file -> !migrated || !file.startsWith("migration/"))
                        .toList(),
                settings);
    }

    void rollBack() {
        run(MigrationPage.filesUnder("Roll back"), Map.of());
    }

    /** As psql does: one session, and the end at the first error. */
    void run(List<String> files, Map<String, String> settings) {
        run(dataSource(), files, settings);
    }

    void runAsOwner(String file) {
        run(owner, List.of(file), Map.of());
    }

    private void run(DataSource role, List<String> files, Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("plain_schema", place.schema());
        all.put("plain_table", place.table());
        try (Connection connection = role.getConnection();
                PreparedStatement set = connection.prepareStatement("select set_config(?, ?, false)");
                Statement statement = connection.createStatement()) {
            for (Map.Entry<String, String> setting : all.entrySet()) {
                set.setString(1, "typed_outbox." + setting.getKey());
                set.setString(2, setting.getValue());
                set.execute();
            }
            for (String file : files) {
                statement.execute(MigrationPage.contentOf(file));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    /** Commits the statement when the action waits for a lock. */
    void whileUncommitted(String sql, Runnable action) {
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(sql);
            CompletableFuture<Void> acting = CompletableFuture.runAsync(action);
            eventually(() -> acting.isDone() || !value(WAITING_FOR_LOCKS).equals("0"));
            connection.commit();
            acting.join();
        } catch (SQLException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    DataSource dataSource() {
        return database.dataSource();
    }

    void execute(String sql) {
        OutboxDatabase.quiet(dataSource()).execute(sql);
    }

    String value(String sql) {
        return String.valueOf(
                OutboxDatabase.quiet(dataSource()).fetchSingle(sql).get(0, String.class));
    }

    List<String> column(String sql) {
        return OutboxDatabase.quiet(dataSource()).fetch(sql).getValues(0, String.class);
    }

    private DataSource asNewRole(String grant) {
        String role = "role_" + UUID.randomUUID().toString().replace("-", "");
        execute("create role " + role + " login password 'secret'");
        execute("grant usage on schema " + place.schema() + " to " + role);
        execute(grant + role);
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setURL(database.jdbcUrl());
        dataSource.setUser(role);
        dataSource.setPassword("secret");
        return dataSource;
    }
}
