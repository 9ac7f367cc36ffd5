package dev.typedoutbox.servers.codegen;

import dev.typedoutbox.servers.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import org.flywaydb.core.Flyway;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.jooq.meta.postgres.PostgresDatabase;
import org.jspecify.annotations.Nullable;

/**
 * A database for jOOQ's code generator that needs no {@code <jdbc>} element: a PostgreSQL from Maven's binaries, started
 * for this one generation and migrated by Flyway with exactly the files of the property {@code locations}.
 *
 * <p>Properties: {@code locations}, separated by commas, as Flyway takes them ({@code filesystem:/absolute/path});
 * {@code historyTable}, by default {@code flyway_schema_history}.
 *
 * @since 0.1.0
 */
public class MigratedPostgresDatabase extends PostgresDatabase {

    private @Nullable PostgresServer server;
    private @Nullable Connection connection;

    /** For the code generator, which creates it by its name. */
    public MigratedPostgresDatabase() {}

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the property {@code locations} is missing
     */
    @Override
    protected DSLContext create0() {
        if (connection == null) {
            connection = connectToMigrated();
            setConnection(connection);
        }
        return super.create0();
    }

    /** Ends the server. */
    @Override
    public void close() {
        super.close();
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException e) {
            throw new DataAccessException("The generator's connection could not be closed", e);
        } finally {
            if (server != null) {
                server.close();
            }
        }
    }

    private Connection connectToMigrated() {
        Properties properties = getProperties();
        String locations = properties.getProperty("locations");
        if (locations == null) {
            throw new IllegalArgumentException("locations must be set (as a property of <database>)");
        }
        server = PostgresServer.startFromBinaries();
        migrate(server, locations, properties.getProperty("historyTable", "flyway_schema_history"));
        try {
            return server.dataSource().getConnection();
        } catch (SQLException e) {
            throw new DataAccessException("No connection to the migrated database", e);
        }
    }

    private static void migrate(PostgresServer server, String locations, String historyTable) {
        // Inside a build tool, Flyway finds neither its own plugins nor SLF4J by itself.
        Flyway.configure(MigratedPostgresDatabase.class.getClassLoader())
                .loggers("slf4j")
                .dataSource(server.dataSource())
                .locations(locations.trim().split("\\s*,\\s*", -1))
                .table(historyTable)
                .failOnMissingLocations(true)
                .load()
                .migrate();
    }
}
