package dev.typedoutbox.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.typedoutbox.standalone.CommandRun.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where settings come from, and what is said of wrong ones. Each run ends before it asks a server anything, or fails at one. */
class SettingsTest {
    private static final String SECRET = "s3cret-of-the-test";

    /** Nothing listens at port 1; the error tells where it looked. */
    private static final String NOWHERE = "jdbc:postgresql://127.0.0.1:1/";

    private final CommandRun command = new CommandRun();

    @TempDir
    Path folder;

    @BeforeEach
    void name() {
        command.with("OUTBOX_LOG_LEVEL", "error");
    }

    @Test
    void optionWinsOverEnvironmentAndFile() throws IOException {
        command.with("OUTBOX_JDBC_URL", NOWHERE + "environment");

        Result result = command.run(
                "validate", "--config", file("jdbc-url=" + NOWHERE + "file"), "--jdbc-url", NOWHERE + "option");

        assertThat(result.err()).contains("127.0.0.1:1/option");
        assertThat(result.status()).isEqualTo(ExitStatus.FAILURE);
    }

    @Test
    void environmentWinsOverFile() throws IOException {
        command.with("OUTBOX_JDBC_URL", NOWHERE + "environment");

        Result result = command.run("validate", "--config", file("jdbc-url=" + NOWHERE + "file"));

        assertThat(result.err()).contains("127.0.0.1:1/environment");
    }

    @Test
    void fileThatTheEnvironmentNamesIsRead() throws IOException {
        command.with("OUTBOX_CONFIG", file("jdbc-url = " + NOWHERE + "file"));

        assertThat(command.run("validate").err()).contains("127.0.0.1:1/file");
    }

    @Test
    void emptyVariableCountsAsNotGiven() throws IOException {
        command.with("OUTBOX_JDBC_URL", "");

        assertThat(command.run("validate", "--config", file("jdbc-url=" + NOWHERE + "file"))
                        .err())
                .contains("127.0.0.1:1/file");
    }

    @Test
    void missingSettingIsNamedInAllItsForms() {
        assertUsage(command.run("validate"), "--jdbc-url", "OUTBOX_JDBC_URL", "jdbc-url must be given");
    }

    @Test
    void unknownVariableIsRefusedAndTheNearestNameTold() {
        command.with("OUTBOX_JBDC_URL", "x");

        assertUsage(command.run("validate"), "OUTBOX_JBDC_URL", "did you mean OUTBOX_JDBC_URL?");
    }

    @ParameterizedTest
    @CsvSource({
        "OUTBOX_RELAY_SERVICE_HOST, 10.0.0.1",
        "OUTBOX_RELAY_SERVICE_PORT_HTTP, 8080",
        "OUTBOX_RELAY_PORT_8080_TCP_ADDR, 10.0.0.1",
        "OUTBOX_RELAY_PORT, tcp://10.0.0.1:8080",
        "OUTBOX_ADMIN_PORT, tcp://10.0.0.1:8081"
    })
    void whatKubernetesTellsOfServicesIsNoSetting(String name, String text) {
        command.with(name, text).with("OUTBOX_JDBC_URL", NOWHERE + "x");

        assertThat(command.run("validate").status()).isEqualTo(ExitStatus.FAILURE);
    }

    @Test
    void unknownKeyOfTheFileIsRefusedAndTheNearestNameTold() throws IOException {
        assertUsage(command.run("validate", "--config", file("jdbc-ulr=x")), "jdbc-ulr", "did you mean jdbc-url?");
    }

    @Test
    void unknownOptionIsRefusedWithoutWhatItWasGiven() {
        Result result = command.run("validate", "--jdbc-pasword=" + SECRET);

        assertUsage(result, "--jdbc-pasword must be an option", "did you mean --jdbc-password-file?");
        assertThat(result.err()).doesNotContain(SECRET);
    }

    @Test
    void fileThatIsNotThereIsRefused() {
        assertUsage(
                command.run("validate", "--config", folder.resolve("none").toString()),
                "--config must be",
                "no such file");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--schema | pg_outbox | --schema must be at most 63 bytes in UTF-8 and not begin with pg_, as PostgreSQL demands"
                        + " (was \"pg_outbox\", 9 bytes)",
                "--schema | ' ' | --schema must be one line, not blank (was \" \")",
                "--workers | 0 | --workers must be a whole number from 1 to 64 (was \"0\")",
                "--workers | many | --workers must be a whole number from 1 to 64 (was \"many\")",
                "--poll-interval | 5 | --poll-interval must be a duration, such as 250ms, 30s or 7d, from 1ms to 7d (was \"5\")",
                "--max-batch-bytes | 0 | --max-batch-bytes must be bytes",
                "--ordered | maybe | --ordered must be true or false (was \"maybe\")",
                "--dead-letter-policy | stop | --dead-letter-policy must be one of go-on, hold-aggregate (was \"stop\")",
                "--retry-max-delay | 500ms | --retry-max-delay must be at least retry-delay, 1s (was \"500ms\")",
                "--amqp-uri | localhost | --amqp-uri must be amqp://host:port/virtual-host",
                "--amqp-uri | http://localhost | --amqp-uri must be amqp://host:port/virtual-host",
                "--jdbc-url | localhost | --jdbc-url must be jdbc:postgresql://host:port/database (was \"localhost\")",
                "--jdbc-url | jdbc:postgresql://h/x?sslMode=verify-full | --jdbc-url must be a URL whose parameters the driver"
                        + " knows: did you mean sslmode?",
                "--jdbc-url | jdbc:postgresql://h/x?sslmode=verify_full | --jdbc-url must be a URL whose sslmode is one of",
                "--jdbc-url | jdbc:postgresql://a,b/x?targetServerType=primry | --jdbc-url must be a URL whose targetServerType"
                        + " is one of any, primary,",
                "--listen-jdbc-url | jdbc:postgresql://h/x?ssl-mode=require | --listen-jdbc-url must be a URL whose parameters",
                "--amqp-uri | amqp://localhost/%2F?hearbeat=5 | without other parameters than heartbeat,",
                "--health-port | 70000 | --health-port must be a whole number from 0 to 65535",
            })
    void wrongValueIsToldWithItsRule(String option, String value, String error) {
        assertUsage(relay().run("relay", option, value), error);
    }

    @Test
    void wrongValueIsToldWithWhereItStands() throws IOException {
        String file = file("workers=0");

        assertUsage(relay().run("relay", "--config", file), "workers in " + file + " must be a whole number");
        assertUsage(relay().with("OUTBOX_WORKERS", "0").run("relay"), "OUTBOX_WORKERS must be a whole number");
        assertUsage(relay().with("OUTBOX_SCHEMA", "pg_x").run("relay"), "OUTBOX_SCHEMA must be at most 63 bytes");
    }

    @Test
    void settingsThatACommandDoesNotUseAreNotChecked() {
        command.with("OUTBOX_WORKERS", "0").with("OUTBOX_JDBC_URL", NOWHERE + "x");

        assertThat(command.run("validate").status()).isEqualTo(ExitStatus.FAILURE);
    }

    @Test
    void aggregatesCannotBeHeldThatKeepNoOrder() {
        assertUsage(
                relay().run("relay", "--ordered=false", "--dead-letter-policy", "hold-aggregate"),
                "--dead-letter-policy must be go-on where ordered is false (was \"hold-aggregate\")");
    }

    @Test
    void certificateNeedsItsKey() {
        relay().with("OUTBOX_AMQP_URI", "amqps://127.0.0.1:1/%2F");

        assertUsage(
                command.run("relay", "--amqp-key-file", "x.pem"),
                "amqp-certificate-file and amqp-key-file must be given together");
    }

    @Test
    void certificatesWithoutTlsAreRefused() {
        assertUsage(relay().run("relay", "--amqp-ca-file", "ca.pem"), "amqp-uri must begin with amqps:");
    }

    @Test
    void adminPageThatOthersReachNeedsAToken() {
        assertUsage(
                relay().run("relay", "--admin-port", "0", "--admin-address", "0.0.0.0"),
                "--admin-address must be an address that this machine alone can reach",
                "admin-token");
    }

    @Test
    void settingsOfAPageThatIsNotServedAreRefused() {
        assertUsage(
                relay().run("relay", "--admin-token-file", "token"),
                "admin-port must be given where --admin-token-file is (was not)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc-password", "amqp-password", "admin-token"})
    void secretIsNoOption(String name) {
        Result attached = relay().run("relay", "--" + name + "=" + SECRET);
        Result apart = relay().run("relay", "--" + name, SECRET);

        assertUsage(attached, name + " must not be an option", "--" + name + "-file");
        assertUsage(apart, name + " must not be an option");
        assertThat(attached.err() + apart.err()).doesNotContain(SECRET);
    }

    @Test
    void passwordInAnOptionsUrlIsRefused() {
        Result jdbc = relay().run("relay", "--jdbc-url", NOWHERE + "x?password=" + SECRET);
        Result amqp = relay().run("relay", "--amqp-uri", "amqp://user:" + SECRET + "@localhost/%2F");

        assertUsage(jdbc, "--jdbc-url must be without a password", "OUTBOX_JDBC_PASSWORD");
        assertUsage(amqp, "--amqp-uri must be without user and password", "--amqp-password-file");
        assertThat(jdbc.err() + amqp.err()).doesNotContain(SECRET);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "amqp://user:" + SECRET + "@",
                "amqp:user:" + SECRET + "@localhost",
                "amqp://user:a " + SECRET + "@localhost",
                "amqp://user:a/" + SECRET + "@localhost",
                "user:" + SECRET + "@localhost"
            })
    void errorOfAWrongUriHidesItsLogin(String uri) {
        Result result = relay().with("OUTBOX_AMQP_URI", uri).run("relay");

        assertUsage(result, "OUTBOX_AMQP_URI must be amqp://host:port/virtual-host");
        assertThat(result.err()).doesNotContain(SECRET);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgres://h/x?user=u&password=" + SECRET,
                "jdbc:postgresql://h/x?user=u&password=a&" + SECRET,
                "jdbc:postgresql://h/x?sslmode=x&password=a " + SECRET,
                "jdbc:postgresql://h/x?user=u&pasword=" + SECRET,
                "jdbc:postgresql://h/x?" + SECRET,
            })
    void errorOfAWrongUrlHidesItsPassword(String url) {
        Result result = command.with("OUTBOX_JDBC_URL", url).run("validate");

        assertUsage(result, "OUTBOX_JDBC_URL must be ");
        assertThat(result.err()).doesNotContain(SECRET);
    }

    @Test
    void secretGivenTwiceInOnePlaceIsRefused() {
        Result result = command.with("OUTBOX_JDBC_URL", NOWHERE + "x")
                .with("OUTBOX_JDBC_PASSWORD", SECRET)
                .with("OUTBOX_JDBC_PASSWORD_FILE", "file")
                .run("validate");

        assertUsage(result, "jdbc-password must be given once", "OUTBOX_JDBC_PASSWORD_FILE");
        assertThat(result.err()).doesNotContain(SECRET);
    }

    @Test
    void secretFileOfAnOptionWinsOverTheEnvironment() {
        command.with("OUTBOX_JDBC_URL", NOWHERE + "x").with("OUTBOX_JDBC_PASSWORD", SECRET);

        assertUsage(
                command.run(
                        "validate",
                        "--jdbc-password-file",
                        folder.resolve("none").toString()),
                "--jdbc-password-file must be a file that can be read",
                "no such file");
    }

    @Test
    void emptySecretFileIsRefused() throws IOException {
        command.with("OUTBOX_JDBC_URL", NOWHERE + "x");

        assertUsage(
                command.run("validate", "--jdbc-password-file", file("\n")),
                "--jdbc-password-file must be a file with the secret in one line");
    }

    private CommandRun relay() {
        return command.with("OUTBOX_JDBC_URL", NOWHERE + "x")
                .with("OUTBOX_AMQP_URI", "amqp://127.0.0.1:1/%2F")
                .with("OUTBOX_EXCHANGE", "events");
    }

    private String file(String content) throws IOException {
        return Files.writeString(folder.resolve("relay.properties"), content).toString();
    }

    private static void assertUsage(Result result, String... words) {
        assertThat(result.err()).contains(words);
        assertThat(result.err().lines()).hasSize(1);
        assertThat(result.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(result.out()).isEmpty();
    }
}
