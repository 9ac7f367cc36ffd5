package dev.typedoutbox.standalone;

import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.db.OutboxSchemaException;
import java.time.Duration;
import org.jooq.exception.DataAccessException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Migrates before a relay starts, and waits for a database that is not there. */
final class FirstMigration {
    private static final Logger LOG = LoggerFactory.getLogger(FirstMigration.class);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final DatabaseAccess database;
    private final String schema;
    private final Health health;
    private Duration pause = Duration.ofMillis(250);
    private boolean told;

    FirstMigration(DatabaseAccess database, String schema, Health health) {
        this.database = database;
        this.schema = schema;
        this.health = health;
    }

    /**
     * Returns when the tables are up to date, or when the signal has come.
     *
     * @throws OutboxSchemaException if the database answers, and they cannot be brought up to date
     */
    void run(StopSignal signal) throws InterruptedException {
        while (!signal.isReceived() && !isDone()) {
            signal.await(pause);
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
    }

    private boolean isDone() {
        try {
            OutboxSchema.migrate(database.forMigration(), schema);
            LOG.atInfo().addKeyValue("schema", schema).log("tables are up to date");
            return true;
        } catch (DataAccessException | OutboxSchemaException e) {
            if (!Explanation.isOutage(e)) {
                throw e;
            }
            wait(e);
            return false;
        }
    }

    private void wait(RuntimeException reason) {
        String words = Explanation.of(reason).text();
        health.waitsForDatabase(words);
        if (!told) {
            told = true;
            LOG.atWarn().log("tables cannot be created or updated yet: " + words);
        }
    }
}
