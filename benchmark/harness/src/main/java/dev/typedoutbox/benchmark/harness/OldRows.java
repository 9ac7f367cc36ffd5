package dev.typedoutbox.benchmark.harness;

import java.sql.SQLException;
import java.util.Locale;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Rows that the relay is done with, beside those of a backlog: older ones, so with lower numbers. Only for contenders on the
 * library's own table.
 */
final class OldRows {
    private static final int MOST = 2_000_000;

    private OldRows() {}

    /** Leaves the low numbers to them. Comes before the backlog, whose rows then have higher ones. */
    static void makeRoom(PGSimpleDataSource database) throws SQLException {
        Postgres.execute(
                database,
                "select setval(s, greatest(nextval(s), " + MOST
                        + ")) from pg_get_serial_sequence('outbox_events', 'seq') s");
    }

    /** Adds those with the numbers that follow {@code after}, with a time of 30 days ago in the column. */
    static void insert(PGSimpleDataSource database, String column, int after, int count) throws SQLException {
        Postgres.execute(
                database,
                String.format(
                        Locale.ROOT,
                        "insert into outbox_events (seq, aggregate_type, aggregate_id, event_type, payload, %s)"
                                + " overriding system value select n, 'old', (n %% 20000)::text, 'order.placed',"
                                + " jsonb_build_object('text', repeat(md5(n::text), 8)), now() - interval '30 days'"
                                + " from generate_series(%d, %d) n",
                        column,
                        after + 1,
                        after + count));
    }

    static long count(PGSimpleDataSource database) throws SQLException {
        return Postgres.number(database, "select count(*) from outbox_events where aggregate_type = 'old'");
    }
}
