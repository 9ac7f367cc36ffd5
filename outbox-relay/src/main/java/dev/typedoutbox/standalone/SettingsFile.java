package dev.typedoutbox.standalone;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/** The settings in a file of properties, UTF-8. */
final class SettingsFile {
    private final String file;
    private final Properties properties;

    private SettingsFile(String file, Properties properties) {
        this.file = file;
        this.properties = properties;
    }

    static SettingsFile none() {
        return new SettingsFile("", new Properties());
    }

    static SettingsFile read(String name, String file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(Path.of(file), StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (IOException | RuntimeException e) {
            throw Failure.usage(
                    name + " must be a file of properties that can be read (was " + file + ": " + Reason.of(e) + ")");
        }
        SettingsFile read = new SettingsFile(file, properties);
        read.requireKnownNames();
        return read;
    }

    Optional<Given> given(Setting setting) {
        return Optional.ofNullable(properties.getProperty(setting.name()))
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .map(text -> new Given(text, Given.Source.FILE, setting.name() + " in " + file));
    }

    private void requireKnownNames() {
        List<String> known = Setting.all().stream().map(Setting::name).toList();
        properties.stringPropertyNames().stream()
                .filter(name -> !known.contains(name))
                .sorted()
                .findFirst()
                .ifPresent(name -> {
                    throw Failure.usage(
                            "the keys in " + file + " must be settings (was " + name + ")" + Nearest.hint(name, known));
                });
    }
}
