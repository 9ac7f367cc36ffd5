package dev.typedoutbox.servers;

import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A database of a {@link PostgresServer}.
 *
 * <p>Thread-safe.
 *
 * @since 0.1.0
 */
public final class Database {

    private final PGSimpleDataSource dataSource;

    private Database(PGSimpleDataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** The database that a complete URL names, with the user and the password in its parameters. */
    static Database of(String jdbcUrl) {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setURL(jdbcUrl);
        return new Database(dataSource);
    }

    static Database of(String host, int port, String name, String user, String password) {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setServerNames(new String[] {host});
        dataSource.setPortNumbers(new int[] {port});
        dataSource.setDatabaseName(name);
        dataSource.setUser(user);
        dataSource.setPassword(password);
        return new Database(dataSource);
    }

    /** Another database of the same server, reached in the same way. */
    Database sibling(String name) {
        PGSimpleDataSource sibling = new PGSimpleDataSource();
        sibling.setURL(jdbcUrl());
        sibling.setDatabaseName(name);
        sibling.setUser(user());
        sibling.setPassword(password());
        return new Database(sibling);
    }

    /**
     * The name of the database.
     *
     * @return the name
     */
    public String name() {
        return orEmpty(dataSource.getDatabaseName());
    }

    /**
     * The JDBC URL, without user and password.
     *
     * @return the URL
     */
    public String jdbcUrl() {
        return dataSource.getURL();
    }

    /**
     * The user to connect as, a superuser unless the server is an external one.
     *
     * @return the user's name
     */
    public String user() {
        return orEmpty(dataSource.getUser());
    }

    /**
     * The password of {@link #user()}.
     *
     * @return the password, empty if the server asks for none
     */
    public String password() {
        return orEmpty(dataSource.getPassword());
    }

    /**
     * A data source without a pool: each call of its {@code getConnection()} opens a new connection.
     *
     * @return the data source
     */
    public DataSource dataSource() {
        return dataSource;
    }

    private static String orEmpty(@Nullable String value) {
        return value == null ? "" : value;
    }
}
