package dev.typedoutbox.standalone;

import dev.typedoutbox.db.OutboxSchema;
import picocli.CommandLine.Command;

/** Creates or updates the tables. */
@Command(
        name = "migrate",
        mixinStandardHelpOptions = true,
        versionProvider = Commands.Version.class,
        description =
                "Creates the outbox's tables, or brings them up to date. Does nothing if they are. The role must be"
                        + " allowed to create tables.")
final class Migrate implements Action {
    @Override
    public int run(Settings settings, Terminal terminal) {
        DatabaseAccess database = DatabaseAccess.of(settings);
        String schema = settings.text(Setting.SCHEMA);
        OutboxSchema.migrate(database.forMigration(), schema);
        terminal.out().println("the tables in schema \"" + schema + "\" at " + database + " are up to date");
        return ExitStatus.OK;
    }
}
