package dev.typedoutbox.standalone;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command line: {@code java -jar outbox-relay.jar COMMAND}. With it a service in any language writes its events as rows,
 * and has them published.
 *
 * @since 0.1.0
 */
public final class OutboxRelay {
    private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);

    private final Map<String, String> environment;
    private final Terminal terminal;

    OutboxRelay(Map<String, String> environment, Terminal terminal) {
        this.environment = environment;
        this.terminal = terminal;
    }

    /**
     * Runs a command and ends the JVM; {@code --help} lists the commands.
     *
     * @param args the command, its options and its arguments
     */
    public static void main(String... args) {
        System.setProperty("org.jooq.no-logo", "true");
        System.setProperty("org.jooq.no-tips", "true");
        WarmUp.start();
        System.exit(new OutboxRelay(System.getenv(), Terminal.ofProcess()).run(args));
    }

    int run(String... args) {
        Logging.silence();
        CommandLine commands = commands(args);
        try {
            requireNoSecrets(args);
            return commands.execute(args);
        } catch (Failure e) {
            return fail(e);
        }
    }

    CommandLine commands(String... args) {
        CommandLine commands = Commands.forArguments(args);
        commands.setOut(terminal.out());
        commands.setErr(terminal.err());
        commands.setExpandAtFiles(false);
        commands.setUsageHelpAutoWidth(true);
        commands.setExecutionStrategy(this::execute);
        commands.setParameterExceptionHandler((wrong, all) -> fail(Failure.usage(said(wrong))));
        addSettings(commands.getCommandSpec());
        return commands;
    }

    private static void addSettings(CommandSpec spec) {
        if (spec.userObject() instanceof Action action && !action.groups().isEmpty()) {
            SettingOptions.addTo(spec, action);
        }
        spec.subcommands().values().forEach(command -> addSettings(command.getCommandSpec()));
    }

    /** A secret as an option does not work, and the parser's own error would show it. */
    private static void requireNoSecrets(String... args) {
        for (String arg : args) {
            String name = arg.replaceFirst("=.*", "");
            Setting.all().stream()
                    .filter(setting -> setting.isSecret() && setting.option().equals(name))
                    .findFirst()
                    .ifPresent(secret -> {
                        throw Failure.usage(secret + " must not be an option, which others can read (was): set "
                                + secret.variable() + ", or " + secret.option() + "-file");
                    });
        }
    }

    private int execute(ParseResult result) {
        Integer helped = CommandLine.executeHelpRequest(result);
        if (helped != null) {
            return helped;
        }
        ParseResult leaf = leaf(result);
        if (!(leaf.commandSpec().userObject() instanceof Action action)) {
            leaf.commandSpec().commandLine().usage(terminal.err());
            return ExitStatus.USAGE;
        }
        try {
            return run(action, leaf);
        } catch (Exception e) {
            return fail(Explanation.of(e));
        }
    }

    private int run(Action action, ParseResult options) throws Exception {
        if (action.groups().isEmpty()) {
            return status(action, new Settings(Map.of()));
        }
        Settings settings = new SettingReader(environment).read(options, SettingOptions.of(action.groups()));
        Logging.setUp(settings);
        return status(action, settings);
    }

    private int status(Action action, Settings settings) throws Exception {
        int status = action.run(settings, terminal);
        if (terminal.out().checkError()) {
            throw Failure.of("the results could not be written to the standard output", null);
        }
        return status;
    }

    private static ParseResult leaf(ParseResult result) {
        return result.hasSubcommand() ? leaf(result.subcommand()) : result;
    }

    private int fail(Failure failure) {
        terminal.err().println("error: " + failure.text());
        terminal.err().flush();
        Optional.ofNullable(failure.getCause()).ifPresent(cause -> LOG.debug("the cause of the error", cause));
        return failure.status();
    }

    /** What an unknown option is given may be a secret with a misspelt name. */
    private static String said(ParameterException wrong) {
        if (!(wrong instanceof UnmatchedArgumentException unmatched)) {
            return Reason.of(wrong) + "; --help lists what there is";
        }
        CommandSpec spec = wrong.getCommandLine().getCommandSpec();
        String name = unmatched.getUnmatched().get(0).replaceFirst("=.*", "");
        if (name.startsWith("-")) {
            return name + " must be an option of " + spec.qualifiedName() + " (was not)" + optionHint(name, spec);
        }
        return spec.subcommands().isEmpty()
                ? "arguments of " + spec.qualifiedName() + " must be as --help says (was one too many)"
                : name + " must be a command of " + spec.qualifiedName() + " (was not)"
                        + Nearest.hint(name, spec.subcommands().keySet());
    }

    /** Who means a secret is told of its file. */
    private static String optionHint(String name, CommandSpec spec) {
        List<String> secrets = Setting.all().stream()
                .filter(Setting::isSecret)
                .map(Setting::option)
                .toList();
        List<String> known = new ArrayList<>(spec.optionsMap().keySet());
        secrets.stream().filter(secret -> known.contains(secret + "-file")).forEach(known::add);
        return Nearest.to(name, known)
                .map(nearest -> secrets.contains(nearest) ? nearest + "-file" : nearest)
                .map(Nearest::hint)
                .orElse("");
    }
}
