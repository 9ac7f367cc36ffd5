package dev.typedoutbox.cleanup;

import static dev.typedoutbox.relay.RelayFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.typedoutbox.support.OutboxDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many batches of old records, while an old snapshot keeps what was deleted in the index. */
class LargePurgeOfRecordsTest {
    private static final int OLD = 50_000;
    private static final int BATCHES = OLD / 5_000;

    private final OutboxDatabase database = OutboxDatabase.create();

    /** What the planner knows of the table. */
    enum Statistics {
        NONE,
        OF_AN_EMPTY_TABLE,
        OF_YOUNG_RECORDS,
        FRESH
    }

    @ParameterizedTest
    @EnumSource
    void laterBatchesReadNoMoreThanTheFirst(Statistics statistics) throws SQLException {
        database.execute("alter table processed_events set (autovacuum_enabled = off)");
        analyzeIf(statistics == Statistics.OF_AN_EMPTY_TABLE);
        insert(OLD, "0 days");
        analyzeIf(statistics == Statistics.OF_YOUNG_RECORDS);
        insert(OLD, "2 days");
        analyzeIf(statistics == Statistics.FRESH);
        try (Connection report = database.dataSource().getConnection()) {
            report.setAutoCommit(false);
            report.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            report.createStatement().execute("select 1");

            assertThat(ProcessedEvents.create(database.dataSource()).purge(Duration.ofDays(1)))
                    .isEqualTo(OLD);

            eventually(() -> indexEntriesRead() >= OLD);
            assertThat(indexEntriesRead()).isLessThan(OLD + 10 * BATCHES);
            assertThat(recordsReadInTableScans()).isZero();
        }
    }

    private void analyzeIf(boolean now) {
        if (now) {
            database.execute("vacuum analyze processed_events");
        }
    }

    private void insert(int events, String age) {
        database.execute("insert into processed_events select 'shipping', gen_random_uuid(), now() - interval '" + age
                + "' - n * interval '1 ms' from generate_series(1, " + events + ") n order by random()");
    }

    private long indexEntriesRead() {
        return number("select idx_tup_read from pg_stat_user_indexes where indexrelname = 'idx_processed_events_time'");
    }

    private long recordsReadInTableScans() {
        return number("select seq_tup_read from pg_stat_user_tables where relname = 'processed_events'");
    }

    private long number(String sql) {
        return Long.parseLong(database.value(sql));
    }
}
