package dev.typedoutbox.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The relay's settings and commands, as the files of the folder deploy and the documentation have them. */
class DeployFilesTest {
    private static final Pattern VARIABLE = Pattern.compile("\\bOUTBOX_(?!TEST_)[A-Z_]+\\b");
    private static final Pattern VALUE =
            Pattern.compile("(?m)(OUTBOX_[A-Z_]+)(?:=|: |\\n +value: )\"?([^\"\\s]+)\"?(?: \\\\)?$");
    private static final Pattern COMMAND = Pattern.compile("(?m)java -jar outbox-relay\\.jar ([^`\\n]+)");
    private static final Pattern WORD = Pattern.compile("\"[^\"]*\"|\\S+");
    private static final Path OPERATIONS = Path.of("../docs/operations.md");

    private static final Map<String, Setting> SETTINGS =
            Setting.all().stream().collect(Collectors.toMap(Setting::variable, Function.identity()));

    @Test
    void everyVariableIsASetting() throws IOException {
        assertThat(files())
                .allSatisfy(file -> assertThat(found(VARIABLE, file).map(MatchResult::group))
                        .as("%s", file)
                        .isSubsetOf(SETTINGS.keySet()));
        assertThat(files().stream().flatMap(file -> found(VARIABLE, file))).hasSizeGreaterThan(20);
    }

    @Test
    void everyValueIsOneThatItsSettingTakes() throws IOException {
        assertThat(files())
                .allSatisfy(file -> found(VALUE, file)
                        .forEach(value -> assertThatCode(() -> parse(value.group(1), value.group(2)))
                                .as("%s in %s", value.group(), file)
                                .doesNotThrowAnyException()));
        assertThat(files().stream().flatMap(file -> found(VALUE, file))).hasSizeGreaterThan(20);
    }

    @Test
    void everyDatabaseUrlIsRightAndNamesWhatItTrustsWhereItVerifies() throws IOException {
        List<String> urls = files().stream()
                .flatMap(file -> found(VALUE, file))
                .filter(value -> value.group(1).equals(Setting.JDBC_URL.variable()))
                .map(value -> value.group(2))
                .toList();

        assertThat(urls).anyMatch(url -> url.contains("sslmode=verify-full")).allSatisfy(url -> {
            JdbcParameters parameters = JdbcParameters.of(url);
            assertThat(parameters.brokenRule()).isEmpty();
            assertThat(parameters.has("sslrootcert")).isEqualTo(url.contains("sslmode=verify"));
        });
    }

    @Test
    void everyCommandOfTheDocumentationIsUnderstood() {
        OutboxRelay relay = new OutboxRelay(Map.of(), Terminal.ofProcess());
        List<String> commands =
                found(COMMAND, OPERATIONS).map(command -> command.group(1)).toList();

        assertThat(commands)
                .hasSizeGreaterThan(10)
                .allSatisfy(command -> assertThatCode(() -> relay.commands().parseArgs(words(command)))
                        .doesNotThrowAnyException());
    }

    private static Object parse(String variable, String value) {
        return Objects.requireNonNull(SETTINGS.get(variable), variable)
                .kind()
                .parser()
                .apply(value);
    }

    /** As a shell would part them. */
    private static String[] words(String command) {
        return WORD.matcher(command)
                .results()
                .map(word -> word.group().replace("\"", ""))
                .toArray(String[]::new);
    }

    private static Stream<MatchResult> found(Pattern pattern, Path file) {
        try {
            return pattern.matcher(Files.readString(file)).results();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("deploy"))) {
            return Stream.concat(files.filter(Files::isRegularFile), Stream.of(OPERATIONS))
                    .toList();
        }
    }
}
