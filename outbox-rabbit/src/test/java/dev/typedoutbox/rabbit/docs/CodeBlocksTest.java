package dev.typedoutbox.rabbit.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.typedoutbox.rabbit.support.OutboxDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Code on a page is code that something compiles or runs: its lines are those of a source, or a database with the outbox's
 * tables takes it. Where that cannot be, a comment before the block, {@code <!-- untested: ... -->}, says why.
 */
class CodeBlocksTest {
    private static final String[] IN_A_SOURCE = {"java", "kotlin", "yaml", "bash", "sh", "json", "properties"};

    private final List<CodeBlock> blocks = Repository.pages().stream()
            .flatMap(page -> page.blocks().stream())
            .filter(block -> !block.isExcused())
            .toList();
    private final List<String> sources =
            Repository.sources().stream().map(Repository::read).toList();

    @Test
    void blocksAreFound() {
        assertThat(blocksOf(IN_A_SOURCE)).hasSizeGreaterThan(10);
        assertThat(blocksOf("sql")).hasSizeGreaterThan(5);
    }

    @Test
    void everyBlockOfALanguageIsInASource() {
        assertThat(blocksOf(IN_A_SOURCE).filter(block -> !isInASource(block))).isEmpty();
    }

    @Test
    void everyBlockOfSqlIsInASourceOrIsTakenByADatabase() {
        assertThat(blocksOf("sql")
                        .filter(block -> !isInASource(block))
                        .map(CodeBlocksTest::failure)
                        .flatMap(Optional::stream))
                .isEmpty();
    }

    private Stream<CodeBlock> blocksOf(String... languages) {
        return blocks.stream().filter(block -> block.is(languages));
    }

    private boolean isInASource(CodeBlock block) {
        return sources.stream().anyMatch(block::isIn);
    }

    /** In a database of its own, and outside of a transaction, which some statements demand. */
    private static Optional<String> failure(CodeBlock block) {
        try (OutboxDatabase database = OutboxDatabase.create();
                Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(block.text());
            return Optional.empty();
        } catch (SQLException e) {
            return Optional.of(block + ": " + e.getMessage());
        }
    }
}
