package dev.typedoutbox.support;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.servers.Database;
import dev.typedoutbox.servers.PostgresServer;
import dev.typedoutbox.servers.TcpProxy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;
import org.postgresql.ds.PGSimpleDataSource;

/** A database with an outbox, that one test class has for itself. */
public final class OutboxDatabase {
    private final Database database;
    private final Outbox outbox = Outbox.create();

    /** Its copies are there sooner than migrations of their own. */
    private static final class Migrated {
        private static final Database ORIGINAL = migrated(PostgresServer.shared());
    }

    private OutboxDatabase(Database database) {
        this.database = database;
    }

    public static OutboxDatabase create() {
        return new OutboxDatabase(PostgresServer.shared().createCopy("core", Migrated.ORIGINAL));
    }

    public static OutboxDatabase createOn(PostgresServer server) {
        return new OutboxDatabase(migrated(server));
    }

    private static Database migrated(PostgresServer server) {
        Database database = server.createDatabase("core");
        OutboxSchema.migrate(database.dataSource());
        return database;
    }

    public void empty() {
        execute("truncate outbox_events, processed_events restart identity");
    }

    public DataSource dataSource() {
        return database.dataSource();
    }

    public HikariDataSource pool(boolean autoCommit) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setAutoCommit(autoCommit);
        config.setMaximumPoolSize(8);
        config.setMinimumIdle(0);
        return new HikariDataSource(config);
    }

    /** Connections of a new superuser whose sessions begin with the given setting. */
    public DataSource asRoleWith(String setting, String value) {
        String role = "role_" + UUID.randomUUID().toString().replace("-", "");
        execute("create role " + role + " superuser login password 'secret'");
        execute("alter role " + role + " set " + setting + " = '" + value + "'");
        return as(role);
    }

    /** Connections of a new role that has these rights and no others. */
    public DataSource asRoleThatMay(String... rights) {
        String role = "role_" + UUID.randomUUID().toString().replace("-", "");
        execute("create role " + role + " login password 'secret'");
        for (String right : rights) {
            execute("grant " + right + " to " + role);
        }
        return as(role);
    }

    /** As an operator does, with psql or the like. */
    public void runRolesFile() {
        try (InputStream file = Objects.requireNonNull(
                        OutboxSchema.class.getClassLoader().getResourceAsStream(OutboxSchema.ROLES),
                        OutboxSchema.ROLES);
                Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(new String(file.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException | SQLException e) {
            throw new IllegalStateException("roles could not be created", e);
        }
    }

    /** Connections of a new role that is a member of the given one and has no rights of its own. */
    public DataSource asMemberOf(String role) {
        String member = "role_" + UUID.randomUUID().toString().replace("-", "");
        execute("create role " + member + " login password 'secret' in role " + role);
        return as(member);
    }

    private DataSource as(String role) {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setURL(database.jdbcUrl());
        dataSource.setUser(role);
        dataSource.setPassword("secret");
        return dataSource;
    }

    /** A proxy before the server, to be used with {@link #dataSourceThrough}. */
    public TcpProxy proxy() {
        PGSimpleDataSource direct = (PGSimpleDataSource) database.dataSource();
        return TcpProxy.to(direct.getServerNames()[0], direct.getPortNumbers()[0]);
    }

    public DataSource dataSourceThrough(TcpProxy proxy) {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setURL(database.jdbcUrl());
        dataSource.setUser(database.user());
        dataSource.setPassword(database.password());
        dataSource.setServerNames(new String[] {"127.0.0.1"});
        dataSource.setPortNumbers(new int[] {proxy.port()});
        return dataSource;
    }

    public DSLContext dsl() {
        return quiet(dataSource());
    }

    public static DSLContext quiet(DataSource dataSource) {
        return DSL.using(dataSource, SQLDialect.POSTGRES, new Settings().withExecuteLogging(false));
    }

    public void execute(String sql) {
        dsl().execute(sql);
    }

    public String value(String sql) {
        return String.valueOf(dsl().fetchSingle(sql).get(0, String.class));
    }

    public List<String> column(String sql) {
        return dsl().fetch(sql).getValues(0, String.class);
    }

    public int count(String condition) {
        return Integer.parseInt(value("select count(*) from outbox_events where " + condition));
    }

    /** Tells whether exactly one session waits for another's lock. */
    public boolean oneSessionWaits() {
        return value("select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
                        + " and datname = current_database()")
                .equals("1");
    }

    /** Writes an event of the order in a transaction of its own. */
    public UUID publish(String orderId, String eventType) {
        return dsl().transactionResult(
                        (Configuration tx) -> outbox.publish(tx, NewEvent.of("order", orderId, eventType, "x")));
    }

    public List<UUID> publishAll(Collection<NewEvent> events) {
        return dsl().transactionResult((Configuration tx) -> outbox.publishAll(tx, events));
    }

    /** Writes numbered events, spread over orders, the way a script of plain SQL does. */
    public void insertEvents(int events, int orders) {
        execute("insert into outbox_events (aggregate_type, aggregate_id, event_type, payload)"
                + " select 'order', n % " + orders + ", 'order.changed', to_jsonb(n) from generate_series(1, " + events
                + ") n");
    }
}
