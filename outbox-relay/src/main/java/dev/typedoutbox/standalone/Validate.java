package dev.typedoutbox.standalone;

import dev.typedoutbox.db.OutboxSchema;
import picocli.CommandLine.Command;

/** Checks the tables. */
@Command(
        name = "validate",
        mixinStandardHelpOptions = true,
        versionProvider = Commands.Version.class,
        description = "Checks that the outbox's tables are there and as this version needs them. Changes nothing.")
final class Validate implements Action {
    @Override
    public int run(Settings settings, Terminal terminal) {
        DatabaseAccess database = DatabaseAccess.of(settings);
        String schema = settings.text(Setting.SCHEMA);
        OutboxSchema.validate(database.forCommand(), schema);
        terminal.out().println("the tables in schema \"" + schema + "\" at " + database + " are as they must be");
        return ExitStatus.OK;
    }
}
