package dev.typedoutbox.standalone;

import java.util.Map;
import java.util.Set;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Writes the script that completes commands and options in a shell. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        versionProvider = Commands.Version.class,
        description = "Writes a script that completes commands and options in bash or zsh.",
        footer = {
            "",
            "  source <(java -jar outbox-relay.jar completion)",
            "",
            "It is for a command " + Commands.NAME + ", such as",
            "",
            "  alias " + Commands.NAME + "='java -jar outbox-relay.jar'"
        })
final class Completion implements Action {
    @Override
    public Set<Group> groups() {
        return Set.of();
    }

    @Override
    public int run(Settings settings, Terminal terminal) {
        CommandLine commands = new OutboxRelay(Map.of(), terminal).commands();
        terminal.out().print(AutoComplete.bash(Commands.NAME, commands) + "\n");
        terminal.out().flush();
        return ExitStatus.OK;
    }
}
