package dev.typedoutbox.db;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;

/**
 * Creates the outbox's tables, and checks them.
 *
 * <p>The library keeps its migrations apart from the application's: they lie in a location of their own
 * ({@value #MIGRATIONS} on the class path) and are recorded in a history table of their own ({@value #HISTORY_TABLE}), so
 * neither version numbers nor names can collide with the application's.
 *
 * <p>All methods may be called from any thread, and by several processes at once.
 *
 * @since 0.1.0
 */
public final class OutboxSchema {
    /** The schema that is meant where none is named: {@value}. */
    public static final String DEFAULT_SCHEMA = "public";

    /** Where the migrations lie on the class path: {@value}. They are plain SQL and can be run by any tool, in order. */
    public static final String MIGRATIONS = "dev/typedoutbox/db/migration";

    /**
     * Where the roles lie on the class path: {@value}. Plain SQL, to be run after the migrations, with the same search path, by
     * who wants writers, relays, consumers and operators to have the least rights that work.
     */
    public static final String ROLES = "dev/typedoutbox/db/roles.sql";

    /** The table in which the migrations that were run are recorded: {@value}. */
    public static final String HISTORY_TABLE = "outbox_schema_history";

    private static final int MAX_NAME_BYTES = 63;

    private OutboxSchema() {}

    /**
     * Creates or updates the tables in schema {@value #DEFAULT_SCHEMA}.
     *
     * @param dataSource gives connections whose role may create tables
     * @throws OutboxSchemaException if Flyway is not on the class path as it must be, the role may not create tables, tables
     *     of these names exist that are not this library's, or the thread is interrupted while it waits, which it stays
     * @throws DataAccessException if the database does not answer
     * @see #migrate(DataSource, String)
     */
    public static void migrate(DataSource dataSource) {
        migrate(dataSource, DEFAULT_SCHEMA);
    }

    /**
     * Creates or updates the tables in the named schema, and the schema itself when there is none.
     *
     * <p>Does nothing when the tables are up to date, so it can be called at each start; several instances that start
     * at once wait for each other, each with one connection, while the one at work takes up to three more. Tables that were
     * created by hand from the files in {@value #MIGRATIONS} are taken over as they are. Needs
     * {@code org.flywaydb:flyway-database-postgresql} on the class path, and {@code flyway-core} in the same version, such as
     * the application uses for itself.
     *
     * @param dataSource gives connections whose role may create tables
     * @param schema the schema's name as the database spells it, capitals kept; at most 63 bytes in UTF-8
     * @throws OutboxSchemaException if Flyway is not on the class path as it must be, the role may not create tables, tables
     *     of these names exist that are not this library's, or the thread is interrupted while it waits, which it stays
     * @throws DataAccessException if the database does not answer
     * @throws IllegalArgumentException if the name is blank or too long, or begins with {@code pg_}
     */
    public static void migrate(DataSource dataSource, String schema) {
        Objects.requireNonNull(dataSource, "dataSource");
        requireName(schema);
        try {
            new SchemaMigration(dataSource, schema).run();
        } catch (LinkageError | ServiceConfigurationError e) {
            throw FlywayOnClassPath.look().explain(e);
        }
    }

    /**
     * Checks that schema {@value #DEFAULT_SCHEMA} holds what this version of the library works with.
     *
     * @param dataSource gives connections whose role may connect; no other right is needed
     * @throws OutboxSchemaException if a table, column, index or the trigger that wakes relays is missing, or an
     *     index is invalid, or the trigger disabled
     * @throws DataAccessException if the database does not answer
     * @see #validate(DataSource, String)
     */
    public static void validate(DataSource dataSource) {
        validate(dataSource, DEFAULT_SCHEMA);
    }

    /**
     * Checks that the named schema holds what this version of the library works with. A schema that is newer, as in the
     * midst of a rolling update, passes.
     *
     * @param dataSource gives connections whose role may connect; no other right is needed
     * @param schema the schema's name as the database spells it, capitals kept; at most 63 bytes in UTF-8
     * @throws OutboxSchemaException if a table, column, index or the trigger that wakes relays is missing, or an
     *     index is invalid, or the trigger disabled
     * @throws DataAccessException if the database does not answer
     * @throws IllegalArgumentException if the name is blank or too long, or begins with {@code pg_}
     */
    public static void validate(DataSource dataSource, String schema) {
        Objects.requireNonNull(dataSource, "dataSource");
        requireName(schema);
        new SchemaCheck(dataSource, schema).run();
    }

    /**
     * Requires a name that a schema can have. All that takes the name of a schema does so, before it reaches the database,
     * which would cut a name that is too long.
     *
     * @param schema the schema's name as the database spells it, capitals kept; at most 63 bytes in UTF-8
     * @return the name
     * @throws IllegalArgumentException if the name is blank or too long, begins with {@code pg_}, has U+0000 or a lone
     *     surrogate, or is {@code $user}, which a search path takes for the name of its user
     */
    public static String requireName(String schema) {
        Objects.requireNonNull(schema, "schema");
        if (schema.isBlank()) {
            throw new IllegalArgumentException("schema must be the name of a schema (was blank)");
        }
        if (schema.codePoints().anyMatch(c -> c == 0 || Character.getType(c) == Character.SURROGATE)) {
            throw new IllegalArgumentException("schema must not contain U+0000 or a lone surrogate (was \""
                    + schema.replaceAll("[\0\\p{Cs}]", "?") + "\")");
        }
        if (schema.equals("$user")) {
            throw new IllegalArgumentException(
                    "schema must not be $user, which a search path takes for the name of its user (was \"$user\")");
        }
        int bytes = schema.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_NAME_BYTES || schema.startsWith("pg_")) {
            throw new IllegalArgumentException("schema must be at most " + MAX_NAME_BYTES
                    + " bytes in UTF-8 and not begin with pg_, as PostgreSQL demands (was \"" + schema + "\", " + bytes
                    + " bytes)");
        }
        return schema;
    }
}
