package dev.typedoutbox.db;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/** Runs the migrations; the only class that needs Flyway. */
final class SchemaMigration {
    private static final String BEFORE_THE_FIRST = "0";

    private final DataSource dataSource;
    private final String schema;

    SchemaMigration(DataSource dataSource, String schema) {
        this.dataSource = dataSource;
        this.schema = schema;
    }

    void run() {
        new MigrationLock(dataSource, schema).run(this::migrate);
    }

    private void migrate() {
        try {
            flyway(baselineVersion()).migrate();
        } catch (FlywayException e) {
            throw FlywayOnClassPath.look().explain(schema, e);
        }
    }

    private Flyway flyway(String baselineVersion) {
        FluentConfiguration configuration = Flyway.configure(OutboxSchema.class.getClassLoader());
        return configuration
                .dataSource(dataSource)
                .locations("classpath:" + OutboxSchema.MIGRATIONS)
                .table(OutboxSchema.HISTORY_TABLE)
                .defaultSchema(schema)
                .createSchemas(true)
                .placeholderReplacement(false)
                .baselineOnMigrate(true)
                .baselineVersion(baselineVersion)
                .load();
    }

    /** Tables without a history were made by hand; they count as migrated, if they are what the migrations would make. */
    private String baselineVersion() {
        SchemaCheck check = new SchemaCheck(dataSource, schema);
        if (check.hasHistoryTable()) {
            return BEFORE_THE_FIRST;
        }
        check.requireRightToCreate();
        if (!check.hasAnyTable()) {
            return BEFORE_THE_FIRST;
        }
        check.runOnExisting();
        return newestVersion();
    }

    private String newestVersion() {
        var pending = flyway(BEFORE_THE_FIRST).info().pending();
        return pending[pending.length - 1].getVersion().toString();
    }
}
