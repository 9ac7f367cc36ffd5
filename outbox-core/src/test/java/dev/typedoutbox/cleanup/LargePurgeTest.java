package dev.typedoutbox.cleanup;

import static dev.typedoutbox.relay.RelayFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.typedoutbox.consumer.ProcessedEvents;
import dev.typedoutbox.support.OutboxDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Many batches of old rows, while an old snapshot keeps what was deleted in the index. */
class LargePurgeTest {
    private static final int OLD = 50_000;
    private static final int BATCHES = OLD / 5_000;
    private static final Duration DAY = Duration.ofDays(1);

    private final OutboxDatabase database = OutboxDatabase.create();

    /** What the planner knows of the table. */
    enum Statistics {
        NONE,
        OF_AN_EMPTY_TABLE,
        OF_YOUNG_ROWS,
        FRESH
    }

    /** What is purged. */
    enum Rows {
        APPLIED(
                "processed_events",
                "idx_processed_events_time",
                "(consumer, event_id, processed_at)" + " select 'shipping', gen_random_uuid()") {
            @Override
            long purge(DataSource dataSource) {
                return ProcessedEvents.create(dataSource).purge(DAY);
            }
        },
        PUBLISHED(
                "outbox_events",
                "idx_outbox_processed",
                "(aggregate_type, aggregate_id, event_type, payload, processed_at)"
                        + " select 'order', '1', 'order.created', '1'") {
            @Override
            long purge(DataSource dataSource) {
                return PublishedEvents.create(dataSource).purge(DAY);
            }
        };

        final String table;
        final String index;
        final String row;

        Rows(String table, String index, String row) {
            this.table = table;
            this.index = index;
            this.row = row;
        }

        abstract long purge(DataSource dataSource);
    }

    @ParameterizedTest
    @MethodSource
    void laterBatchesReadNoMoreThanTheFirst(Rows rows, Statistics statistics) throws SQLException {
        database.execute("alter table " + rows.table + " set (autovacuum_enabled = off)");
        analyzeIf(statistics == Statistics.OF_AN_EMPTY_TABLE, rows);
        insert(rows, "0 days");
        analyzeIf(statistics == Statistics.OF_YOUNG_ROWS, rows);
        insert(rows, "2 days");
        analyzeIf(statistics == Statistics.FRESH, rows);
        try (Connection report = database.dataSource().getConnection()) {
            report.setAutoCommit(false);
            report.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            report.createStatement().execute("select 1");

            assertThat(rows.purge(database.dataSource())).isEqualTo(OLD);

            eventually(() -> indexEntriesRead(rows) >= OLD);
            assertThat(indexEntriesRead(rows)).isLessThan(OLD + 10 * BATCHES);
            assertThat(rowsReadInTableScans(rows)).isZero();
        }
    }

    static Stream<Arguments> laterBatchesReadNoMoreThanTheFirst() {
        return Arrays.stream(Rows.values())
                .flatMap(rows -> Arrays.stream(Statistics.values()).map(known -> Arguments.of(rows, known)));
    }

    private void analyzeIf(boolean now, Rows rows) {
        if (now) {
            database.execute("vacuum analyze " + rows.table);
        }
    }

    private void insert(Rows rows, String age) {
        database.execute("insert into " + rows.table + " " + rows.row + ", now() - interval '" + age
                + "' - n * interval '1 ms' from generate_series(1, " + OLD + ") n order by random()");
    }

    private long indexEntriesRead(Rows rows) {
        return number("select idx_tup_read from pg_stat_user_indexes where indexrelname = '" + rows.index + "'");
    }

    private long rowsReadInTableScans(Rows rows) {
        return number("select seq_tup_read from pg_stat_user_tables where relname = '" + rows.table + "'");
    }

    private long number(String sql) {
        return Long.parseLong(database.value(sql));
    }
}
