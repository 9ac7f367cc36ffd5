package dev.typedoutbox.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.typedoutbox.relay.Plans;
import dev.typedoutbox.support.OutboxDatabase;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many dead letters among many other rows are found by their index, whatever the planner knows of the table. */
class DeadLetterPlansTest {
    private static final int DEAD = 20_000;

    private final OutboxDatabase database = OutboxDatabase.create();
    private final Plans plans = new Plans();
    private final DeadLetters deadLetters = DeadLetters.of(plans.watch(database.dataSource()));

    /** What the planner knows of the table. */
    enum Statistics {
        NONE,
        OF_AN_EMPTY_TABLE,
        FRESH
    }

    @ParameterizedTest
    @EnumSource
    void pagesAreReadInTheOrderOfTheIndex(Statistics statistics) {
        database.execute("alter table outbox_events set (autovacuum_enabled = off)");
        if (statistics == Statistics.OF_AN_EMPTY_TABLE) {
            database.execute("vacuum analyze outbox_events");
        }
        insert();
        if (statistics == Statistics.FRESH) {
            database.execute("vacuum analyze outbox_events");
        }

        DeadLetterFilter one = DeadLetterFilter.ALL.withAggregateType("order").withAggregateId("10");

        assertThat(deadLetters.list(50)).hasSize(50);
        assertThat(deadLetters.list(DeadLetterFilter.ALL, DEAD, 50)).hasSize(50);
        assertThat(deadLetters.list(DeadLetterFilter.ALL.withEventType("none"), 50))
                .isEmpty();
        assertThat(deadLetters.list(DeadLetterFilter.ALL.withErrorContaining("none"), 50))
                .isEmpty();
        assertThat(deadLetters.list(DeadLetterFilter.ALL.withAggregateType("none"), 50))
                .isEmpty();
        assertThat(deadLetters.list(DeadLetterFilter.ALL.withAggregateId("none"), 50))
                .isEmpty();
        assertThat(deadLetters.list(DeadLetterFilter.ALL.diedBefore(Instant.EPOCH), 50))
                .isEmpty();
        assertThat(deadLetters.count()).isEqualTo(DEAD);
        assertThat(deadLetters.list(one, 50)).hasSize(20);

        assertThat(plans.plans())
                .hasSize(8)
                .allMatch(plan -> plan.contains("using idx_outbox_dead"))
                .noneMatch(plan -> plan.contains("Seq Scan") || plan.contains("Sort"))
                // Nothing else needs the rows that it leaves out.
                .filteredOn(plan -> plan.contains("Filter"))
                .singleElement()
                .asString()
                .contains("last_error");
    }

    /** A dead letter behind each nine published rows. */
    private void insert() {
        database.execute("insert into outbox_events"
                + " (aggregate_type, aggregate_id, event_type, payload, processed_at, dead_at, last_error)"
                + " select 'order', n % 10000, 'order.changed', to_jsonb(n), case when n % 10 <> 0 then now() end,"
                + " case when n % 10 = 0 then now() end, case when n % 10 = 0 then 'no such queue' end"
                + " from generate_series(1, " + DEAD * 10 + ") n");
    }
}
