package dev.typedoutbox.db;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** What there is of Flyway, which the application brings, in a version of its own; works without any of it. */
final class FlywayOnClassPath {
    private static final String INSTEAD = ", or run the SQL files in " + OutboxSchema.MIGRATIONS + " by other means";
    private static final String POSTGRESQL = "flyway-database-postgresql";

    private final @Nullable String core;
    private final @Nullable String postgresql;

    private FlywayOnClassPath(@Nullable String core, @Nullable String postgresql) {
        this.core = core;
        this.postgresql = postgresql;
    }

    static FlywayOnClassPath look() {
        return new FlywayOnClassPath(
                version("flyway-core", "org/flywaydb/core/Flyway.class"),
                // Before Flyway 10 it was a part of the core.
                version(
                        POSTGRESQL,
                        "org/flywaydb/database/postgresql/PostgreSQLDatabaseType.class",
                        "org/flywaydb/core/internal/database/postgresql/PostgreSQLDatabaseType.class"));
    }

    /** Explains what Flyway said. */
    OutboxSchemaException explain(String schema, RuntimeException failure) {
        return core != null && postgresql == null
                ? withoutPostgresql(failure)
                : new OutboxSchemaException(
                        "the outbox's tables could not be created or updated in schema \"" + schema + "\": "
                                + failure.getMessage(),
                        failure);
    }

    /** Explains why Flyway did not come to say anything. */
    OutboxSchemaException explain(Error failure) {
        if (core == null) {
            return new OutboxSchemaException(
                    "OutboxSchema.migrate needs Flyway: add org.flywaydb:" + POSTGRESQL + " to the class path"
                            + INSTEAD,
                    failure);
        }
        if (postgresql == null) {
            return withoutPostgresql(failure);
        }
        return new OutboxSchemaException(
                core.equals(postgresql)
                        ? "OutboxSchema.migrate does not work with Flyway " + core + " as it is on the class path ("
                                + failure + "): take another version" + INSTEAD
                        : "flyway-core and " + POSTGRESQL + " must be of one version (were " + core + " and "
                                + postgresql + ")",
                failure);
    }

    private OutboxSchemaException withoutPostgresql(Throwable failure) {
        return new OutboxSchemaException(
                "OutboxSchema.migrate needs org.flywaydb:" + POSTGRESQL + " beside flyway-core " + core
                        + " (was missing): add it to the class path, in the same version" + INSTEAD,
                failure);
    }

    /** The version of a jar, known from what Maven leaves in it; null if it is not there. */
    private static @Nullable String version(String artifact, String... classes) {
        ClassLoader loader = OutboxSchema.class.getClassLoader();
        try (InputStream file =
                loader.getResourceAsStream("META-INF/maven/org.flywaydb/" + artifact + "/pom.properties")) {
            if (file != null) {
                Properties properties = new Properties();
                properties.load(file);
                return properties.getProperty("version");
            }
        } catch (IOException e) {
            // Then it is of unknown version.
        }
        for (String name : classes) {
            if (loader.getResource(name) != null) {
                return "of unknown version";
            }
        }
        return null;
    }
}
