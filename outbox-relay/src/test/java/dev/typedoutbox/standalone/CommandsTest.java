package dev.typedoutbox.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.typedoutbox.standalone.CommandRun.Result;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandsTest {
    @Test
    void migrateMakesTheTablesThatValidateLooksFor() {
        CommandRun command = new CommandRun(TestOutbox.withoutTables().environment());

        Result before = command.run("validate");
        assertThat(before.status()).isEqualTo(ExitStatus.SCHEMA);
        assertThat(before.err()).contains("must hold outbox_events (was missing): run the command migrate, or");
        assertThat(command.run("migrate").status()).isZero();
        assertThat(command.run("migrate").status()).as("a second time").isZero();
        assertThat(command.run("validate").status()).isZero();
    }

    @Test
    void commandWithoutTablesLeadsToMigrate() {
        CommandRun command = new CommandRun(TestOutbox.withoutTables().environment());

        for (String name : List.of("status", "dead list")) {
            Result run = command.run(name.split(" "));

            assertThat(run.status()).as(name).isEqualTo(ExitStatus.SCHEMA);
            assertThat(run.err()).as(name).contains("outbox_", "does not exist", "the command migrate");
        }
    }

    @Test
    void schemaOfAnyNameWorks() {
        CommandRun command = new CommandRun(TestOutbox.withoutTables().environment()).with("OUTBOX_SCHEMA", "Mine");

        assertThat(command.run("migrate").out()).contains("\"Mine\"");
        assertThat(command.run("validate").status()).isZero();
        assertThat(command.run("status").status()).isZero();
    }

    @Test
    void statusCountsWhatIsPendingAndDead() {
        TestOutbox outbox = TestOutbox.create();
        outbox.insert(3, "order.placed");
        outbox.insertDead(2, "order.paid", "no route");

        Result status = new CommandRun(outbox.environment()).run("status");

        assertThat(status.out())
                .containsPattern("pending +3, the oldest for ")
                .containsPattern("dead letters +2, the oldest for 1h")
                .containsPattern("pending type +3 order.placed")
                .containsPattern("relays +none listens")
                .contains("schema public");
    }

    @Test
    void statusShowsNothingThatATerminalObeys() {
        TestOutbox outbox = TestOutbox.create();
        outbox.insert(1, "order.placed");
        outbox.execute("update outbox_events set event_type = E'\\u001b[2J\\u009b2J\\nrelay of nobody'");

        String status = new CommandRun(outbox.environment()).run("status").out();

        assertThat(status).containsPattern("pending type +1 \\?\\[2J\\?2J relay of nobody");
    }

    @Test
    void statusIsJsonForPrograms() throws IOException {
        TestOutbox outbox = TestOutbox.create();
        outbox.insert(3, "order.placed");

        JsonNode status = new ObjectMapper()
                .readTree(new CommandRun(outbox.environment())
                        .run("status", "--json")
                        .out());

        assertThat(names(status))
                .containsExactly(
                        "read_at",
                        "pending",
                        "oldest_pending_age_seconds",
                        "dead_letters",
                        "oldest_dead_letter_age_seconds",
                        "slots_busy",
                        "notification_queue_usage",
                        "relays",
                        "pending_by_type");
        assertThat(status.at("/pending/value").asInt()).isEqualTo(3);
        assertThat(status.at("/pending/exact").asBoolean()).isTrue();
        assertThat(status.at("/oldest_pending_age_seconds").isNumber()).isTrue();
        assertThat(status.at("/oldest_dead_letter_age_seconds").isNull()).isTrue();
        assertThat(status.at("/pending_by_type/0/event_type").asText()).isEqualTo("order.placed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--json", "--watch=100ms"})
    @Timeout(60)
    void resultsThatNobodyTakesAreAFailure(String option) throws IOException {
        StringWriter err = new StringWriter();
        Writer closed = Writer.nullWriter();
        closed.close();
        Terminal terminal = new Terminal(new PrintWriter(closed), new PrintWriter(err), question -> Optional.empty());

        int status = new OutboxRelay(TestOutbox.create().environment(), terminal).run("status", option);

        assertThat(status).isEqualTo(ExitStatus.FAILURE);
        assertThat(err).hasToString("error: the results could not be written to the standard output\n");
    }

    @Test
    void purgeDeletesWhatIsOldAndNothingElse() {
        TestOutbox outbox = TestOutbox.create();
        outbox.insert(5, "order.placed");
        outbox.execute("update outbox_events set processed_at = now() - interval '8 days' where seq <= 2");
        outbox.execute("update outbox_events set processed_at = now() - interval '6 days' where seq = 3");
        outbox.execute("insert into processed_events (consumer, event_id, processed_at)"
                + " select 'c', gen_random_uuid(), now() - n * interval '10 days' from generate_series(0, 2) n");
        outbox.insertDead(1, "order.paid", "no route");

        Result purge = new CommandRun(outbox.environment())
                .run("purge", "--published-events", "7d", "--processed-events", "14d", "--json");

        assertThat(purge.out()).isEqualTo("{\"published_events\":2,\"processed_events\":1}\n");
        assertThat(outbox.count("true")).isEqualTo(4);
    }

    @Test
    void purgeAsksForARetention() {
        Result purge = new CommandRun(TestOutbox.create().environment()).run("purge");

        assertThat(purge.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(purge.err()).contains("--published-events or --processed-events must be given");
    }

    @ParameterizedTest
    @ValueSource(strings = {"migrate", "validate", "status"})
    void databaseThatIsNotThereIsAFailureThatSaysWhere(String name) {
        Result result = new CommandRun()
                .with("OUTBOX_JDBC_URL", "jdbc:postgresql://127.0.0.1:1/none")
                .run(name);

        assertThat(result.status()).isEqualTo(ExitStatus.FAILURE);
        assertThat(result.err())
                .contains("no connection to PostgreSQL at 127.0.0.1:1/none")
                .contains("refused");
        assertThat(result.err().lines()).hasSize(1);
    }

    @Test
    void helpTellsCommandsOptionsAndExitStatus() {
        assertThat(new CommandRun().run("--help").out())
                .contains("migrate", "validate", "relay", "status", "dead", "purge", "completion", "Exit status:");
        assertThat(new CommandRun().run("relay", "--help").out())
                .contains("Database:", "Broker:", "--amqp-uri=URI", "%2F", "OUTBOX_AMQP_PASSWORD", "Default: 250ms.")
                .doesNotContain("--amqp-password=", "%%");
        assertThat(new CommandRun().run("status", "--help").out())
                .contains("--watch")
                .doesNotContain("Broker:");
    }

    @Test
    void commandIsNeeded() {
        Result result = new CommandRun().run();

        assertThat(result.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(result.err()).contains("Usage: outbox-relay");
        assertThat(new CommandRun().run("dead").status()).isEqualTo(ExitStatus.USAGE);
    }

    @Test
    void completionIsAScriptThatBashReads(@TempDir Path folder) throws Exception {
        Result result = new CommandRun().run("completion");

        Path script = Files.writeString(folder.resolve("completion"), result.out());
        List<String> complete = List.of(
                "bash",
                "-c",
                "source " + script + "; COMP_WORDS=(outbox-relay relay --conf); COMP_CWORD=2; _complete_outbox-relay;"
                        + " echo ${COMPREPLY[@]}");
        Process bash = new ProcessBuilder(complete).redirectErrorStream(true).start();
        String completed = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor()).isZero();
        assertThat(completed).contains("--config", "--confirm-timeout");
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
