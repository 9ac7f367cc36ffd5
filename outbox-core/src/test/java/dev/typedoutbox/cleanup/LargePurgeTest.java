package dev.typedoutbox.cleanup;

import static dev.typedoutbox.relay.RelayFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.typedoutbox.support.OutboxDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many old rows, and many young ones, are read once and page by page, whatever the planner knows and whoever looks on. */
class LargePurgeTest {
    private static final int OLD = 50_000;
    private static final Duration DAY = Duration.ofDays(1);

    private final OutboxDatabase database = OutboxDatabase.create();

    /** What the planner knows of the table. */
    enum Statistics {
        NONE,
        OF_AN_EMPTY_TABLE,
        OF_YOUNG_ROWS,
        FRESH
    }

    @BeforeEach
    void leaveTheStatisticsToTheTest() {
        database.execute("alter table outbox_events set (autovacuum_enabled = off)");
    }

    @ParameterizedTest
    @EnumSource
    void allAreReadOnceWhateverIsOpenMeanwhile(Statistics statistics) throws SQLException {
        analyzeIf(statistics == Statistics.OF_AN_EMPTY_TABLE);
        insert("0 days");
        analyzeIf(statistics == Statistics.OF_YOUNG_ROWS);
        insert("2 days");
        analyzeIf(statistics == Statistics.FRESH);
        try (Connection report = database.dataSource().getConnection()) {
            report.setAutoCommit(false);
            report.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            report.createStatement().execute("select 1");

            long scansBefore = tableScans();
            assertThat(PublishedEvents.create(database.dataSource()).purge(DAY)).isEqualTo(OLD);

            eventually(() -> rowsRead() >= 2 * OLD);
            // A step that found as many as it may has some of its pages read once more.
            assertThat(rowsRead()).isLessThan(3 * OLD);
            assertThat(tableScans()).isEqualTo(scansBefore);
        }
    }

    @Test
    void cleanupLooksAtAFewPagesBeforeItReadsThemAll() {
        insert("0 days");
        Cleanup cleanup =
                Cleanup.builder(database.dataSource()).publishedEvents(DAY).build();

        assertThat(cleanup.runOnce()).isEqualTo(new CleanupResult(0, 0));
        eventually(() -> rowsRead() > 0);
        assertThat(rowsRead()).isLessThan(OLD / 2);

        insert("2 days");
        assertThat(cleanup.runOnce()).isEqualTo(new CleanupResult(OLD, 0));
    }

    private void analyzeIf(boolean now) {
        if (now) {
            database.execute("vacuum analyze outbox_events");
        }
    }

    private void insert(String age) {
        database.execute("insert into outbox_events (aggregate_type, aggregate_id, event_type, payload, processed_at)"
                + " select 'order', '1', 'order.created', to_jsonb(repeat('x', 300)), now() - interval '" + age
                + "' - n * interval '1 ms' from generate_series(1, " + OLD + ") n");
    }

    private long tableScans() {
        return number("select seq_scan from pg_stat_user_tables where relname = 'outbox_events'");
    }

    private long rowsRead() {
        return number("select seq_tup_read from pg_stat_user_tables where relname = 'outbox_events'");
    }

    private long number(String sql) {
        return Long.parseLong(database.value(sql));
    }
}
