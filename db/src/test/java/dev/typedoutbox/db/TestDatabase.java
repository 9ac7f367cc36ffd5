package dev.typedoutbox.db;

import dev.typedoutbox.servers.Database;
import dev.typedoutbox.servers.PostgresServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;
import org.postgresql.ds.PGSimpleDataSource;

/** An empty database that one test has for itself, and plain SQL on it. */
public final class TestDatabase {
    private final Database database = PostgresServer.shared().createDatabase("db");
    private final DSLContext dsl =
            DSL.using(database.dataSource(), SQLDialect.POSTGRES, new Settings().withExecuteLogging(false));

    public DataSource dataSource() {
        return database.dataSource();
    }

    public void execute(String sql) {
        dsl.execute(sql);
    }

    public String value(String sql) {
        return Objects.requireNonNull(dsl.fetchSingle(sql).get(0, String.class), sql);
    }

    public List<String> column(String sql) {
        return dsl.fetch(sql).getValues(0, String.class);
    }

    /** What an operator without Flyway does. */
    public void runMigrationFileIn(String schema) {
        run(dataSource(), schema, OutboxSchema.MIGRATIONS + "/V1__outbox.sql");
    }

    /** The same for who wants roles with few rights. */
    public static void runRolesFile(DataSource owner, String schema) {
        run(owner, schema, OutboxSchema.ROLES);
    }

    private static void run(DataSource owner, String schema, String file) {
        DSL.using(owner, SQLDialect.POSTGRES).connection(connection -> {
            connection.setSchema(schema);
            connection.createStatement().execute(read(file));
        });
    }

    /** Connections of a new role, which may connect and do nothing else. */
    public DataSource asNewRole() {
        return asNewRole("");
    }

    /** Connections of a new role that may create schemas and roles, and is no superuser. */
    public DataSource asOwner() {
        return asNewRole("createrole");
    }

    private DataSource asNewRole(String rights) {
        String role = "role_" + UUID.randomUUID().toString().replace("-", "");
        execute("create role " + role + " login password 'secret' " + rights);
        execute("revoke create on schema public from public");
        if (!rights.isEmpty()) {
            execute("grant create on database " + database.name() + " to " + role);
        }
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setURL(database.jdbcUrl());
        dataSource.setUser(role);
        dataSource.setPassword("secret");
        return dataSource;
    }

    private static String read(String file) {
        try (InputStream in = Objects.requireNonNull(TestDatabase.class.getResourceAsStream("/" + file))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
