package dev.typedoutbox.standalone;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** Finds what was given for each setting: as an option, in the environment, or in a file, in this order. */
final class SettingReader {
    static final String CONFIG_OPTION = "--config";

    private final EnvironmentVariables environment;

    SettingReader(Map<String, String> environment) {
        this.environment = new EnvironmentVariables(environment);
    }

    Settings read(ParseResult options, Collection<Setting> used) {
        environment.requireKnownNames();
        SettingsFile file = file(options);
        Map<Setting, Given> given = new LinkedHashMap<>();
        for (Setting setting : used) {
            option(options, setting)
                    .or(() -> environment.given(setting))
                    .or(() -> file.given(setting))
                    .or(() -> fallback(setting))
                    .ifPresent(text -> given.put(setting, text));
        }
        return new Settings(given);
    }

    private SettingsFile file(ParseResult options) {
        Optional<String> option = option(options, CONFIG_OPTION);
        if (option.isPresent()) {
            return SettingsFile.read(CONFIG_OPTION, option.get());
        }
        return environment
                .value(EnvironmentVariables.CONFIG)
                .map(file -> SettingsFile.read(EnvironmentVariables.CONFIG, file))
                .orElseGet(SettingsFile::none);
    }

    private static Optional<Given> option(ParseResult options, Setting setting) {
        return setting.isSecret()
                ? Optional.empty()
                : option(options, setting.option()).map(text -> new Given(text, Given.Source.OPTION, setting.option()));
    }

    private static Optional<String> option(ParseResult options, String name) {
        @Nullable
        String text =
                options.hasMatchedOption(name) ? options.matchedOption(name).getValue() : null;
        return Optional.ofNullable(text);
    }

    private static Optional<Given> fallback(Setting setting) {
        return setting.fallback().map(text -> new Given(text, Given.Source.DEFAULT, setting.name()));
    }
}
