package dev.typedoutbox.standalone;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** All commands. */
@Command(
        name = Commands.NAME,
        mixinStandardHelpOptions = true,
        versionProvider = Commands.Version.class,
        description =
                "Publishes the events of a transactional outbox on PostgreSQL to RabbitMQ, and shows and mends what is in it.",
        footerHeading = "%nExit status:%n",
        footer = {
            "  0  done",
            "  1  failed",
            "  2  a wrong option, argument or setting",
            "  3  the outbox's tables are missing, too old, or could not be created",
            "  4  nothing found"
        })
final class Commands {
    static final String NAME = "outbox-relay";

    private static final Map<String, Supplier<Object>> ALL = all();

    private static Map<String, Supplier<Object>> all() {
        Map<String, Supplier<Object>> all = new LinkedHashMap<>();
        all.put("migrate", Migrate::new);
        all.put("validate", Validate::new);
        all.put("relay", RunRelay::new);
        all.put("status", Status::new);
        all.put("dead", Dead::new);
        all.put("purge", Purge::new);
        all.put("completion", Completion::new);
        return all;
    }

    /** The command that is meant, or all if none is: each takes a while to be set up. */
    static CommandLine forArguments(String... args) {
        CommandLine commands = new CommandLine(new Commands());
        if (args.length > 0 && ALL.containsKey(args[0])) {
            commands.addSubcommand(ALL.get(args[0]).get());
        } else {
            ALL.values().forEach(command -> commands.addSubcommand(command.get()));
        }
        return commands;
    }

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
