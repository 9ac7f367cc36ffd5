package dev.typedoutbox.benchmark.harness;

import dev.typedoutbox.servers.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** The database server of the run: that of the options, or one of its own that keeps what it has confirmed. */
final class Postgres implements AutoCloseable {
    /** As a server of this size would be set up; {@code logical} because one of the peers reads the log. */
    private static final Map<String, String> SETTINGS = Map.of(
            "fsync", "on",
            "shared_buffers", "1GB",
            "max_wal_size", "8GB",
            "wal_level", "logical",
            "max_connections", "300");

    private final PGSimpleDataSource admin;
    private final @Nullable PostgresServer own;
    private final List<String> created = new ArrayList<>();

    private Postgres(PGSimpleDataSource admin, @Nullable PostgresServer own) {
        this.admin = admin;
        this.own = own;
    }

    static Postgres named(String url, @Nullable String user, @Nullable String password) {
        PGSimpleDataSource admin = new PGSimpleDataSource();
        admin.setURL(url);
        if (user != null) {
            admin.setUser(user);
        }
        if (password != null) {
            admin.setPassword(password);
        }
        return new Postgres(admin, null);
    }

    static Postgres startOwn() {
        PostgresServer server = PostgresServer.startFromBinaries(SETTINGS);
        PGSimpleDataSource admin = new PGSimpleDataSource();
        admin.setURL(server.jdbcUrl());
        admin.setUser(server.user());
        admin.setPassword(server.password());
        return new Postgres(admin, server);
    }

    Optional<ProcessHandle> process() {
        return own == null ? Optional.empty() : own.process();
    }

    /** Creates an empty database, which is dropped in the end. */
    PGSimpleDataSource createDatabase() throws SQLException {
        String name = "benchmark_" + ProcessHandle.current().pid() + "_" + created.size();
        execute(admin, "create database " + name);
        created.add(name);
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setURL(admin.getURL());
        database.setUser(admin.getUser());
        database.setPassword(admin.getPassword());
        database.setDatabaseName(name);
        return database;
    }

    /** Writes out what is in memory, so that the server does not do it while it is measured. */
    void checkpoint() throws SQLException {
        execute(admin, "checkpoint");
    }

    /** How many bytes of log the server has written since it was made. */
    long logPosition() throws SQLException {
        return number(admin, "select pg_current_wal_insert_lsn() - '0/0'::pg_lsn");
    }

    /** Version and the settings that matter, for the report. */
    String description() throws SQLException {
        return text(
                admin,
                "select split_part(version(), ' on ', 1) || string_agg(', ' || name || ' ' || current_setting(name), '')"
                        + " from unnest(array['fsync', 'synchronous_commit', 'shared_buffers', 'max_wal_size',"
                        + " 'wal_level', 'autovacuum']) as name");
    }

    static void execute(PGSimpleDataSource database, String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static long number(PGSimpleDataSource database, String sql) throws SQLException {
        return Long.parseLong(text(database, sql));
    }

    private static String text(PGSimpleDataSource database, String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return String.valueOf(result.getString(1));
        }
    }

    @Override
    public void close() throws SQLException {
        if (own != null) {
            own.close();
            return;
        }
        for (String name : created) {
            execute(admin, "drop database if exists " + name + " with (force)");
        }
    }
}
