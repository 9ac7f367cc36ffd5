package dev.typedoutbox.servers;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A running PostgreSQL. What is not closed before is closed at the exit of the JVM.
 *
 * <p>Thread-safe, but {@link #stop()}, {@link #kill()} and {@link #resume()} concern everyone who uses the server.
 *
 * @since 0.1.0
 */
public final class PostgresServer implements AutoCloseable {

    /** The environment variable that names an external server: a JDBC URL with user and password. */
    public static final String URL_VARIABLE = "OUTBOX_TEST_JDBC_URL";

    private static final String IMAGE = "postgres:17-alpine";
    private static final int CONTAINER_PORT = 5432;
    private static final String CONTAINER_PASSWORD = "postgres";

    private static final Object SHARED_LOCK = new Object();

    private static @Nullable PostgresServer shared;

    private final ServerProcess process;
    private final Database database;
    private final List<String> created = new CopyOnWriteArrayList<>();

    private PostgresServer(ServerProcess process, Database database) {
        this.process = process;
        this.database = database;
    }

    /**
     * Takes the server that {@value #URL_VARIABLE} names; else starts one in a container where a Docker engine answers;
     * else starts the binaries that Maven delivers.
     *
     * @return the running server
     * @throws IllegalStateException if the server does not start
     */
    public static PostgresServer start() {
        return start(System::getenv);
    }

    static PostgresServer start(Function<String, @Nullable String> environment) {
        String url = environment.apply(URL_VARIABLE);
        if (url != null && !url.isBlank()) {
            return opened(new ExternalServer(URL_VARIABLE), Database.of(url));
        }
        return DockerEngine.answers(environment) ? startContainer() : startFromBinaries();
    }

    /**
     * Starts the binaries that Maven delivers, whatever else there is, with {@code fsync} off.
     *
     * @return the running server
     * @throws IllegalStateException if the server does not start
     */
    public static PostgresServer startFromBinaries() {
        return startFromBinaries(Map.of());
    }

    /**
     * Starts the binaries that Maven delivers, whatever else there is, with {@code fsync} off unless set on.
     *
     * @param settings names and values as in {@code postgresql.conf}; no value may contain a blank
     * @return the running server
     * @throws IllegalStateException if the server does not start
     */
    public static PostgresServer startFromBinaries(Map<String, String> settings) {
        PostgresBinaries binaries = PostgresBinaries.start(settings);
        return ready(binaries, Database.of("127.0.0.1", binaries.port(), "postgres", PostgresBinaries.USER, ""));
    }

    private static PostgresServer startContainer() {
        Container container = Container.start(
                IMAGE,
                CONTAINER_PORT,
                Map.of("POSTGRES_PASSWORD", CONTAINER_PASSWORD),
                "postgres",
                "-c",
                "fsync=off",
                "-c",
                "max_connections=300");
        return ready(
                container, Database.of(container.host(), container.port(), "postgres", "postgres", CONTAINER_PASSWORD));
    }

    private static PostgresServer ready(ServerProcess process, Database database) {
        PostgresServer server = opened(process, database);
        server.awaitReady();
        return server;
    }

    private static PostgresServer opened(ServerProcess process, Database database) {
        PostgresServer server = new PostgresServer(process, database);
        OpenServers.add(server);
        return server;
    }

    /**
     * The one server of this JVM, started by {@link #start()} at the first call. It must not be closed by its users.
     *
     * @return the shared server
     * @throws IllegalStateException if the server does not start
     */
    public static PostgresServer shared() {
        synchronized (SHARED_LOCK) {
            PostgresServer known = shared;
            if (known == null) {
                known = start();
                shared = known;
            }
            return known;
        }
    }

    /**
     * Creates an empty database that nobody else uses.
     *
     * @param prefix the start of its name: lower-case letters, digits and underscores
     * @return the new database
     * @throws IllegalArgumentException if the prefix does not have that form
     * @throws IllegalStateException if the server refuses to create it
     */
    public Database createDatabase(String prefix) {
        return create(prefix, "");
    }

    /**
     * Creates a copy of a database that nobody is connected to.
     *
     * @param prefix the start of its name: lower-case letters, digits and underscores
     * @param original what is copied, a database of this server
     * @return the new database
     * @throws IllegalArgumentException if the prefix does not have that form
     * @throws IllegalStateException if the server refuses to create it
     */
    public Database createCopy(String prefix, Database original) {
        return create(prefix, " template " + original.name());
    }

    private Database create(String prefix, String options) {
        if (!prefix.matches("[a-z][a-z0-9_]{0,29}")) {
            throw new IllegalArgumentException(
                    "prefix must be 1 to 30 lower-case letters, digits and underscores (was " + prefix + ")");
        }
        String name = prefix + "_" + UUID.randomUUID().toString().replace("-", "");
        execute("create database " + name + options);
        created.add(name);
        return database.sibling(name);
    }

    /**
     * Drops a database that {@link #createDatabase} created; connections to it are cut.
     *
     * @param dropped the database
     * @throws IllegalArgumentException if it was not created by this server, or was dropped already
     * @throws IllegalStateException if the server refuses to drop it
     */
    public void dropDatabase(Database dropped) {
        if (!created.remove(dropped.name())) {
            throw new IllegalArgumentException(
                    "database must be one that was created here and not dropped yet (was " + dropped.name() + ")");
        }
        execute("drop database " + dropped.name() + " with (force)");
    }

    /**
     * The JDBC URL of the default database, without user and password.
     *
     * @return the URL
     */
    public String jdbcUrl() {
        return database.jdbcUrl();
    }

    /**
     * The user to connect as, a superuser unless the server is an external one.
     *
     * @return the user's name
     */
    public String user() {
        return database.user();
    }

    /**
     * The password of {@link #user()}.
     *
     * @return the password, empty if the server asks for none
     */
    public String password() {
        return database.password();
    }

    /**
     * A data source of the default database, without a pool.
     *
     * @return the data source
     */
    public DataSource dataSource() {
        return database.dataSource();
    }

    /**
     * Whether the server can be stopped, killed and resumed.
     *
     * @return false for an external server
     */
    public boolean isControllable() {
        return process.isControllable();
    }

    /**
     * The server's process, whose children belong to it too.
     *
     * @return the process; empty unless the server runs on this machine and was started from here
     */
    public Optional<ProcessHandle> process() {
        return process.process();
    }

    /**
     * Shuts the server down in good order; its connections are cut and its data kept.
     *
     * @throws UnsupportedOperationException if the server is not controllable
     */
    public void stop() {
        process.stop();
    }

    /**
     * Ends all processes of the server with SIGKILL, as in a crash; committed data is kept.
     *
     * @throws UnsupportedOperationException if the server is not controllable
     */
    public void kill() {
        process.kill();
    }

    /**
     * Starts the stopped or killed server again, with the same port and data, and waits until it answers.
     *
     * @throws UnsupportedOperationException if the server is not controllable
     * @throws IllegalStateException if the server does not start
     */
    public void resume() {
        process.resume();
        awaitReady();
    }

    /** Ends the server and deletes its data; of an external server only the databases created here are dropped. */
    @Override
    public void close() {
        if (OpenServers.remove(this)) {
            if (!process.isControllable()) {
                created.forEach(name -> execute("drop database if exists " + name + " with (force)"));
            }
            process.close();
        }
    }

    private void awaitReady() {
        Readiness.await("The answer of PostgreSQL at " + jdbcUrl(), () -> {
            try (Connection connection = dataSource().getConnection()) {
                return connection.isValid(1);
            }
        });
    }

    private void execute(String sql) {
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql + " failed", e);
        }
    }
}
