package dev.typedoutbox.example;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** The database of the run, and what its errors mean for the user. */
final class DatabaseAccess {
    private static final int CONNECTIONS = 12;
    private static final int DEFAULT_PORT = 5432;
    private static final int CONNECT_TIMEOUT_SECONDS = 10;

    private final PGSimpleDataSource database;

    private DatabaseAccess(PGSimpleDataSource database) {
        this.database = database;
    }

    static DatabaseAccess of(String url, @Nullable String user, @Nullable String password) {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setConnectTimeout(CONNECT_TIMEOUT_SECONDS);
        try {
            database.setURL(url);
        } catch (IllegalArgumentException e) {
            throw ExampleFailure.badOption("--jdbc-url must be jdbc:postgresql://host:port/database (was \""
                    + withoutPasswords(url) + "\"): correct it; user and password have options of their own");
        }
        if (user != null) {
            database.setUser(user);
        }
        if (password != null) {
            database.setPassword(password);
        }
        return new DatabaseAccess(database);
    }

    void check() {
        try (Connection connection = database.getConnection()) {
            connection.isValid(1);
        } catch (SQLException e) {
            throw ExampleFailure.of(explanation(e), e);
        }
    }

    HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database);
        config.setMaximumPoolSize(CONNECTIONS);
        config.setPoolName("order-example");
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    /** Host, port and database; no user, no password. */
    @Override
    public String toString() {
        return database.getServerNames()[0] + ":" + port() + "/" + database.getDatabaseName();
    }

    Optional<ExampleFailure> explained(Throwable failure) {
        return NetworkReason.causes(failure)
                .filter(SQLException.class::isInstance)
                .map(cause -> ExampleFailure.of(explanation((SQLException) cause), failure))
                .findFirst();
    }

    private String explanation(SQLException e) {
        String said = NetworkReason.of(e).orElse(NetworkReason.firstLine(e));
        return switch (String.valueOf(e.getSQLState())) {
            case "28P01", "28000", "08004" ->
                "--jdbc-user and --jdbc-password must be a login that PostgreSQL accepts (was user \""
                        + database.getUser() + "\" at " + this + ": " + said
                        + "): correct them, or set EXAMPLE_JDBC_PASSWORD";
            case "3D000" ->
                "--jdbc-url must name a database that exists (was " + this + "): create it, or correct the name";
            case "42501" ->
                "the role of --jdbc-user must be allowed to create tables in schema public (was \""
                        + database.getUser() + "\" at " + this + ": " + said
                        + "): grant create on schema public to it, or use a database that it owns";
            case "42P07" ->
                "--jdbc-url must name a database without tables of other programs in schema public (was " + this + ": "
                        + said + "): use another database";
            default ->
                "--jdbc-url must name a PostgreSQL that answers and works (was " + this + ": " + said
                        + "): check host, port and server";
        };
    }

    private int port() {
        int port = database.getPortNumbers()[0];
        return port == 0 ? DEFAULT_PORT : port;
    }

    static String withoutPasswords(String url) {
        return url.replaceAll("(?i)(password=)[^&]*", "$1***").replaceAll("//[^/@]*@", "//***@");
    }
}
