package dev.typedoutbox.deploy;

import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.servers.Database;
import dev.typedoutbox.servers.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A database with the library's tables that can be copied as a whole, with its sequences, as a backup is. */
final class RestorableDatabase implements AutoCloseable {
    private final Database database;
    private final List<String> copies = new ArrayList<>();

    RestorableDatabase(String prefix) {
        this.database = PostgresServer.shared().createDatabase(prefix);
        OutboxSchema.migrate(database.dataSource());
    }

    DataSource dataSource() {
        return database.dataSource();
    }

    /** A copy of what is committed now; nobody may be connected. It is the restored database, as soon as somebody uses it. */
    DataSource backUp() {
        String copy = "backup_" + UUID.randomUUID().toString().replace("-", "");
        execute(PostgresServer.shared().dataSource(), "create database " + copy + " template " + database.name());
        copies.add(copy);
        PGSimpleDataSource restored = new PGSimpleDataSource();
        restored.setURL(database.jdbcUrl());
        restored.setDatabaseName(copy);
        restored.setUser(database.user());
        restored.setPassword(database.password());
        return restored;
    }

    static int execute(DataSource dataSource, String sql) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
            return statement.getUpdateCount();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The first column of a query's rows. */
    static List<String> column(DataSource dataSource, String sql) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> column = new ArrayList<>();
            while (rows.next()) {
                column.add(rows.getString(1));
            }
            return column;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        copies.forEach(
                copy -> execute(PostgresServer.shared().dataSource(), "drop database " + copy + " with (force)"));
    }
}
