package dev.typedoutbox.standalone;

import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** All commands. */
@Command(
        name = Commands.NAME,
        mixinStandardHelpOptions = true,
        versionProvider = Commands.Version.class,
        description = "Publishes the events of a transactional outbox on PostgreSQL to RabbitMQ, and shows and mends what is in it.",
        footerHeading = "%nExit status:%n",
        footer = {
            "  0  done",
            "  1  failed",
            "  2  a wrong option, argument or setting",
            "  3  the outbox's tables are missing, too old, or could not be created",
            "  4  nothing found"
        },
        subcommands = {
            Migrate.class,
            Validate.class,
            RunRelay.class,
            Status.class,
            Dead.class,
            Purge.class,
            Completion.class
        })
final class Commands {
    static final String NAME = "outbox-relay";

    /** What the jar says of itself. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {NAME + " " + version()};
        }
    }

    static String version() {
        String version = Commands.class.getPackage().getImplementationVersion();
        return version == null ? "(not from a jar)" : version;
    }
}
