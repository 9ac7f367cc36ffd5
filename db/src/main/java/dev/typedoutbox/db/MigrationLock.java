package dev.typedoutbox.db;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.val;

import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * Lets one instance at a time migrate a schema. Flyway has a lock too, but looks for tables and sets its baseline before
 * it takes it, so instances that start at once would trip over each other.
 */
final class MigrationLock {
    private static final long RETRY_MILLIS = 50;

    private final DataSource dataSource;
    private final Field<Long> key;

    MigrationLock(DataSource dataSource, String schema) {
        this.dataSource = dataSource;
        this.key = function(
                "hashtextextended", SQLDataType.BIGINT, val(OutboxSchema.HISTORY_TABLE + " " + schema), inline(0L));
    }

    void run(Runnable work) {
        DSL.using(dataSource, SQLDialect.POSTGRES).connection(connection -> {
            DSLContext session = DSL.using(connection, SQLDialect.POSTGRES, new Settings().withExecuteLogging(false));
            acquire(session);
            try {
                work.run();
            } finally {
                session.select(function("pg_advisory_unlock", SQLDataType.BOOLEAN, key))
                        .fetch();
            }
        });
    }

    /** Asks again and again: a session that waits in a statement would hold up CREATE INDEX CONCURRENTLY. */
    private void acquire(DSLContext session) {
        try {
            while (!session.select(function("pg_try_advisory_lock", SQLDataType.BOOLEAN, key))
                    .fetchSingle()
                    .value1()) {
                TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OutboxSchemaException("interrupted while another instance migrates the outbox's tables", e);
        }
    }
}
