package dev.typedoutbox.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.typedoutbox.relay.Plans;
import dev.typedoutbox.support.OutboxDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The status costs little however much there is: told by what it reads, which is the same on any machine. */
@Timeout(300)
class LargeOutboxTest {
    private static final int PROCESSED = 200_000;
    private static final int DEAD = 100_000;
    private static final int PENDING = 100_000;

    private final OutboxDatabase database = OutboxDatabase.create();
    private final Plans plans = new Plans();
    private final OutboxStatus status = OutboxStatus.of(plans.watch(database.dataSource()));

    @ParameterizedTest(name = "statistics are fresh: {0}")
    @ValueSource(booleans = {false, true})
    void statusOfALargeOutboxIsReadByTheIndexesAlone(boolean fresh) {
        fill(fresh);

        StatusReport report = status.read();
        List<TypeCount> types = status.pendingByType(5);

        assertThat(report.pending()).hasToString("10,000+");
        assertThat(report.oldestPendingAge()).isBetween(Duration.ofHours(1), Duration.ofMinutes(70));
        assertThat(report.deadLetters()).hasToString("10,000+");

        assertThat(types).containsExactly(new TypeCount("order.changed", 10_000));
        assertThat(plans.plans())
                .hasSize(3)
                .noneMatch(plan -> plan.contains("Seq Scan on outbox_events"))
                .filteredOn(plan -> plan.contains("Index Only Scan using idx_outbox_unprocessed"))
                .hasSize(1);
        assertThat(entriesThatAReadingReads())
                .isBetween(2L * OutboxStatus.COUNT_LIMIT, 2L * OutboxStatus.COUNT_LIMIT + 500);
    }

    /** Those of the indexes, each of which may have to be looked up in the table. A session tells of its own when it ends. */
    private long entriesThatAReadingReads() {
        long before = settledEntriesRead();
        status.read();
        await().until(() -> entriesRead() > before);
        return settledEntriesRead() - before;
    }

    private long settledEntriesRead() {
        AtomicLong last = new AtomicLong(-1);
        await().during(Duration.ofSeconds(1)).until(() -> {
            long now = entriesRead();
            return last.getAndSet(now) == now;
        });
        return last.get();
    }

    private long entriesRead() {
        return Long.parseLong(
                database.value("select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'outbox_events'"));
    }

    private void fill(boolean fresh) {
        database.execute("alter table outbox_events set (autovacuum_enabled = off)");
        if (!fresh) {
            database.execute("vacuum analyze outbox_events");
        }
        database.insertEvents(PROCESSED + DEAD + PENDING, 5_000);
        database.execute("update outbox_events set processed_at = now() where seq <= " + PROCESSED);
        database.execute("update outbox_events set dead_at = now(), attempts = 8, last_error = 'no such queue'"
                + " where seq > " + PROCESSED + " and seq <= " + (PROCESSED + DEAD));
        // In the last slot, which no count gets to.
        database.execute("update outbox_events set created_at = now() - interval '1 hour' where seq ="
                + " (select min(seq) from outbox_events where slot = 63 and processed_at is null and dead_at is null)");
        if (fresh) {
            database.execute("vacuum analyze outbox_events");
        }
    }
}
