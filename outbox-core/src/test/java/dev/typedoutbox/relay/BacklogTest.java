package dev.typedoutbox.relay;

import static dev.typedoutbox.relay.RelayFixture.eventually;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many events that are due, and many workers that want some of them at once. */
class BacklogTest {
    private static final int EVENTS = 200_000;
    private static final int WORKERS = 20;
    private static final int BATCH = 100;

    private final OutboxDatabase database = OutboxDatabase.create();
    private final InMemoryPublisher publisher = new InMemoryPublisher();
    private final Plans plans = new Plans();

    /** What the planner knows of the table. */
    enum Statistics {
        NONE,
        OF_AN_EMPTY_TABLE,
        FRESH
    }

    @ParameterizedTest
    @EnumSource
    void twentyWorkersFetchFromALargeBacklogByTheIndexAlone(Statistics statistics) {
        database.execute("alter table outbox_events set (autovacuum_enabled = off)");
        if (statistics == Statistics.OF_AN_EMPTY_TABLE) {
            database.execute("vacuum analyze outbox_events");
        }
        database.insertEvents(EVENTS, 5_000);
        if (statistics == Statistics.FRESH) {
            database.execute("vacuum analyze outbox_events");
        }
        try (HikariDataSource pool = pool()) {
            RelayConfigBuilder config = quick().workers(WORKERS).batchSize(BATCH);
            try (Relay relay = Relay.create(pool, publisher, config.build())) {
                relay.start();
                eventually(() -> publisher.sent().size() > 100 * BATCH);
            }
        }
        assertThat(publisher.sent()).extracting(OutboxEvent::id).doesNotHaveDuplicates();
        assertThat(plans.plans())
                .hasSizeGreaterThanOrEqualTo(3)
                .noneMatch(plan -> plan.contains("Seq Scan on outbox_events"))
                .filteredOn(plan -> plan.contains("idx_outbox_unprocessed"))
                .hasSizeGreaterThanOrEqualTo(2);
        eventually(() -> readByABatch() > 0);
        assertThat(readByABatch()).isLessThan(EVENTS / 40);
    }

    /** How many entries of the index of pending rows a batch read on average; the same on a slow machine as on a quick one. */
    private long readByABatch() {
        long read = Long.parseLong(database.value(
                "select idx_tup_read from pg_stat_user_indexes where indexrelname = 'idx_outbox_unprocessed'"));
        return read / (publisher.sent().size() / BATCH);
    }

    private HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(plans.watch(database.dataSource()));
        config.setMaximumPoolSize(WORKERS);
        return new HikariDataSource(config);
    }
}
