package dev.typedoutbox.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.typedoutbox.cleanup.Cleanup;
import dev.typedoutbox.relay.RelayConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of settings against what else says the same. */
class SettingTableTest {
    private static final Path REFERENCE = Path.of("../docs/relay.md");

    @Test
    void referenceHasTheTableOfSettings() throws IOException {
        assertThat(Files.readString(REFERENCE)).contains(table());
    }

    @Test
    void defaultsAreTheLibrarys() {
        RelayConfig relay = new RelaySettings(defaults()).config(List.of(), Optional.empty());

        assertThat(relay).usingRecursiveComparison().ignoringFields("observers").isEqualTo(RelayConfig.defaults());
        assertThat(defaults().duration(Setting.CLEANUP_INTERVAL)).isEqualTo(Cleanup.DEFAULT_INTERVAL);
    }

    @Test
    void everySecretHasASettingForAFile() {
        assertThat(Setting.all().stream().filter(Setting::isSecret))
                .isNotEmpty()
                .allSatisfy(
                        secret -> assertThat(Setting.named(secret + "-file")).isPresent());
    }

    private static Settings defaults() {
        return new Settings(Setting.all().stream()
                .filter(setting -> setting.fallback().isPresent())
                .collect(Collectors.toMap(
                        setting -> setting,
                        setting -> new Given(setting.fallback().orElseThrow(), Given.Source.DEFAULT, setting.name()),
                        (one, other) -> one,
                        LinkedHashMap::new)));
    }

    private static String table() {
        Map<Group, List<Setting>> groups = Setting.all().stream()
                .collect(Collectors.groupingBy(Setting::group, TreeMap::new, Collectors.toList()));
        StringBuilder table = new StringBuilder("| setting | default | what for |\n|---|---|---|\n");
        groups.forEach((group, settings) -> {
            table.append("| **").append(group.heading()).append("** | | |\n");
            settings.forEach(setting -> table.append(row(setting)));
        });
        return table.toString();
    }

    private static String row(Setting setting) {
        return "| `" + setting + "`" + (setting.isSecret() ? " (no option)" : "") + " | "
                + setting.fallback().map(text -> "`" + text + "`").orElse("") + " | " + setting.description() + " |\n";
    }
}
