package dev.typedoutbox.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.typedoutbox.standalone.CommandRun.Result;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeadCommandsTest {
    private static final String DEAD = "dead_at is not null";
    private static final String PENDING = "dead_at is null and processed_at is null";

    private final TestOutbox outbox = TestOutbox.create();
    private List<UUID> ids;

    @BeforeEach
    void write() {
        ids = outbox.insertDead(3, "order.paid", "no queue takes it");
        outbox.insertDead(1, "order.shipped", "nacked");
        outbox.insert(1, "order.placed");
    }

    @Test
    void listShowsTheOldestFirstAPageAtATime() {
        Result first = run("list", "--limit", "3");
        Result rest = run("list", "--limit", "3", "--after", "3");

        assertThat(first.out().lines())
                .hasSize(4)
                .element(1)
                .asString()
                .contains(ids.get(0).toString(), "no queue takes it");
        assertThat(first.err()).contains("--after 3");
        assertThat(rest.out().lines()).hasSize(2).element(1).asString().contains("order.shipped");
        assertThat(rest.err()).isEmpty();
    }

    @Test
    void listIsJsonForPrograms() throws IOException {
        JsonNode page = new ObjectMapper()
                .readTree(run("list", "--json", "--limit", "1").out());

        assertThat(page.at("/next_after").asInt()).isEqualTo(1);
        assertThat(page.at("/dead_letters/0/id").asText()).isEqualTo(ids.get(0).toString());
        assertThat(page.at("/dead_letters/0/last_error").asText()).isEqualTo("no queue takes it");
        assertThat(page.toString()).doesNotContain("of customer");
    }

    @ParameterizedTest
    @CsvSource({
        "--type, order.paid, 3",
        "--aggregate-type, order, 4",
        "--aggregate, 1, 2",
        "--error, nacked, 1",
        "--error, NACKED, 0",
        "--died-before, 30m, 4",
        "--died-since, 30m, 0",
        "--died-before, 2001-01-01T00:00:00Z, 0"
    })
    void listTakesFilters(String option, String value, int found) {
        assertThat(run("list", option, value).out().lines()).hasSize(found + 1);
    }

    @Test
    void timeThatNoRowCanHoldIsAWrongOption() {
        Result result = run("list", "--died-before", "999999999d");

        assertThat(result.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(result.err()).contains("diedBefore must be in the years 1 to 294275");
    }

    @Test
    void listShowsNothingThatATerminalObeys() {
        outbox.execute("update outbox_events set last_error = E'\\u001b[2Jgone\\nnext' where dead_at is not null");

        assertThat(run("list").out()).contains("?[2Jgone next").doesNotContain("\033");
    }

    @Test
    void showKeepsThePayloadToItselfUnlessAsked() {
        String id = ids.get(1).toString();

        assertThat(run("show", id).out())
                .contains(id, "order.paid", "no queue takes it")
                .doesNotContain("of customer");
        assertThat(run("show", id, "--payload").out()).contains("of customer 2");
        assertThat(run("show", id, "--json").out()).doesNotContain("of customer");
        assertThat(run("show", id, "--json", "--payload").out()).contains("\"payload\":{\"secret\":\"of customer 2\"}");
    }

    @Test
    void retryAsksFirst() {
        Result no = new CommandRun(outbox.environment())
                .answering("n")
                .run("dead", "retry", ids.get(0).toString());
        assertThat(no.status()).isEqualTo(ExitStatus.FAILURE);
        assertThat(outbox.count(DEAD)).isEqualTo(4);

        CommandRun yes = new CommandRun(outbox.environment()).answering("y");
        assertThat(yes.run("dead", "retry", ids.get(0).toString()).out()).startsWith("retried 1");
        assertThat(yes.questions()).containsExactly("Retry 1 dead letter? [y/N] ");
        assertThat(outbox.count(DEAD)).isEqualTo(3);
        assertThat(outbox.count(PENDING)).isEqualTo(2);
    }

    @Test
    void nothingIsChangedWhereNobodyCanBeAsked() {
        Result result = run("retry", "--all");

        assertThat(result.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(result.err()).contains("--yes must be given");
        assertThat(outbox.count(DEAD)).isEqualTo(4);
    }

    @Test
    void retryTakesAFilterOrAll() {
        assertThat(run("retry", "--type", "order.shipped", "--yes", "--json").out())
                .isEqualTo("{\"retried\":1}\n");
        assertThat(run("retry", "--all", "--yes").out()).startsWith("retried 3");
        assertThat(outbox.count(DEAD)).isZero();
    }

    @Test
    void discardKeepsTheReasonInTheRow() {
        Result result = run("discard", "--error", "nacked", "--reason", "sent by hand", "--yes");

        assertThat(result.out()).startsWith("discarded 1");
        assertThat(outbox.count("processed_at is not null and last_error = 'discarded: sent by hand'"))
                .isEqualTo(1);
    }

    /** Each is two of Java's characters, and one of the row's. */
    @Test
    void discardTakesAReasonAsLongAsTheAdminPageDoes() {
        assertThat(run("discard", "--all", "--reason", "\uD83D\uDCA9".repeat(1_001), "--yes")
                        .err())
                .contains("--reason must be 1 to 1000 characters (was 1001)");
        assertThat(run("discard", "--all", "--reason", "\uD83D\uDCA9".repeat(600), "--yes")
                        .out())
                .startsWith("discarded 4");
    }

    @Test
    void blankReasonIsRefusedBeforeAnybodyIsAsked() {
        CommandRun command = new CommandRun(outbox.environment()).answering("y");
        Result result = command.run("dead", "discard", "--all", "--reason", " ");

        assertThat(result.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(result.err()).contains("--reason must say why (was blank)");
        assertThat(command.questions()).isEmpty();
    }

    @Test
    void discardAsksForAReason() {
        Result result = run("discard", "--all", "--yes");

        assertThat(result.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(result.err()).contains("--reason");
        assertThat(outbox.count(DEAD)).isEqualTo(4);
    }

    @Test
    void oneWayToNameThemIsNeeded() {
        assertThat(run("retry", "--yes").err()).contains("dead letters must be named by their ids");
        assertThat(run("retry", "--all", "--type", "order.paid", "--yes").status())
                .isEqualTo(ExitStatus.USAGE);
        assertThat(run("retry", "--all", ids.get(0).toString(), "--yes").status())
                .isEqualTo(ExitStatus.USAGE);
        assertThat(outbox.count(DEAD)).isEqualTo(4);
    }

    @Test
    void whatIsNotThereIsToldByTheExitStatus() {
        UUID unknown = UUID.randomUUID();

        assertThat(run("show", unknown.toString()).status()).isEqualTo(ExitStatus.NOTHING_FOUND);
        assertThat(run("retry", "--type", "none", "--yes").status()).isEqualTo(ExitStatus.NOTHING_FOUND);
        Result some = run("retry", ids.get(0).toString(), unknown.toString(), "--yes");
        assertThat(some.status()).isEqualTo(ExitStatus.NOTHING_FOUND);
        assertThat(some.out()).startsWith("retried 1");
        assertThat(some.err()).contains(unknown.toString());
    }

    @Test
    void idThatIsNoneIsRefused() {
        assertThat(run("show", "1-1-1-1-1").err()).contains("ID must be the UUID of an event (was \"1-1-1-1-1\")");
    }

    private Result run(String... args) {
        return new CommandRun(outbox.environment()).run(List.of("dead"), args);
    }
}
