package dev.typedoutbox.recipes.jooq;

import dev.typedoutbox.db.OutboxSchema;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/** The tables, to be brought up to date at each start. */
final class Migrations {
    private Migrations() {}

    static void run(DataSource dataSource) {
        Flyway.configure().dataSource(dataSource).load().migrate(); // your tables
        OutboxSchema.migrate(dataSource); // the outbox's, with a history of their own
    }
}
