package dev.typedoutbox.standalone;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Layout;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Gives a command the options of its settings, and shows them in help under their headings. */
final class SettingOptions {
    private static final String CONFIG =
            "Take settings from this file of properties, UTF-8; OUTBOX_CONFIG names one, too."
                    + " Each setting below may be given as an option, or in the environment, such as OUTBOX_JDBC_URL, or in the"
                    + " file, such as jdbc-url; the first of these wins.";

    private SettingOptions() {}

    static List<Setting> of(Collection<Group> groups) {
        return Setting.all().stream()
                .filter(setting -> groups.contains(setting.group()))
                .toList();
    }

    static void addTo(CommandSpec spec, Action action) {
        spec.addOption(OptionSpec.builder(SettingReader.CONFIG_OPTION)
                .paramLabel("FILE")
                .type(String.class)
                .description(escaped(CONFIG))
                .build());
        of(action.groups()).stream()
                .filter(setting -> !setting.isSecret())
                .forEach(setting -> spec.addOption(option(setting)));
        spec.usageMessage()
                .abbreviateSynopsis(true)
                .sectionMap()
                .put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, help -> sections(help, spec, action));
    }

    private static OptionSpec option(Setting setting) {
        OptionSpec.Builder option = OptionSpec.builder(setting.option())
                .paramLabel(setting.kind().label())
                .type(String.class)
                .description(escaped(described(setting)));
        return setting.kind().isFlag()
                ? option.arity("0..1").fallbackValue("true").build()
                : option.arity("1").build();
    }

    private static String described(Setting setting) {
        return setting.description()
                + setting.fallback().map(text -> " Default: " + text + ".").orElse("");
    }

    /** Descriptions are formats to picocli. */
    private static String escaped(String text) {
        return text.replace("%", "%%");
    }

    private static String sections(Help help, CommandSpec spec, Action action) {
        StringBuilder text = new StringBuilder(section(
                help, spec.options().stream().filter(option -> group(option).isEmpty())));
        for (Group group : Group.values()) {
            if (action.groups().contains(group)) {
                text.append(String.format("%n%s:%n", group.heading()))
                        .append(section(
                                help,
                                spec.options().stream()
                                        .filter(option -> group(option).contains(group))))
                        .append(secrets(group));
            }
        }
        return text.toString();
    }

    private static List<Group> group(OptionSpec option) {
        return Arrays.stream(option.names())
                .flatMap(name -> Setting.named(name.replaceFirst("^--", "")).stream())
                .map(Setting::group)
                .toList();
    }

    private static String section(Help help, Stream<OptionSpec> options) {
        Layout layout = help.createDefaultLayout();
        layout.addAllOptions(options.filter(option -> !option.hidden()).toList(), help.parameterLabelRenderer());
        return layout.toString();
    }

    private static String secrets(Group group) {
        StringBuilder text = new StringBuilder();
        of(List.of(group)).stream()
                .filter(Setting::isSecret)
                .forEach(secret -> text.append(String.format(
                        "  %s, or %s in the file: not an option, which others could read.%n",
                        secret.variable(), secret)));
        return text.toString();
    }
}
