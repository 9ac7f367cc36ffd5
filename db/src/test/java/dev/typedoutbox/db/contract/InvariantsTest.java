package dev.typedoutbox.db.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.db.TestDatabase;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the tables themselves guarantee, whoever writes to them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InvariantsTest {
    private final TestDatabase database = new TestDatabase();

    @BeforeAll
    void migrate() {
        OutboxSchema.migrate(database.dataSource());
    }

    @BeforeEach
    void empty() {
        database.execute("truncate outbox_events, processed_events");
    }

    @Test
    void plainInsertOfFourColumnsMakesAPendingEvent() {
        insert("order", "1", "order.created");
        insert("order", "1", "order.paid");

        assertThat(database.column(
                        "select concat_ws(' ', id is not null, attempts, headers is null, retry_after is null,"
                                + " processed_at is null, dead_at is null, last_error is null,"
                                + " created_at between now() - interval '1 minute' and now()) from outbox_events"))
                .hasSize(2)
                .containsOnly("t 0 t t t t t t");
        assertThat(database.value("select count(distinct id) from outbox_events"))
                .isEqualTo("2");
        assertThat(database.column("select event_type from outbox_events order by seq"))
                .containsExactly("order.created", "order.paid");
    }

    @Test
    void slotDependsOnTheAggregateAloneAndAllAreUsed() {
        database.execute("insert into outbox_events (aggregate_type, aggregate_id, event_type, payload)"
                + " select 'type' || n % 3, n % 700, 'event' || n, to_jsonb(n) from generate_series(1, 4200) n");

        assertThat(database.value("select max(slots) from (select count(distinct slot) as slots"
                        + " from outbox_events group by aggregate_type, aggregate_id) per_aggregate"))
                .isEqualTo("1");
        assertThat(database.value(
                        "select concat_ws(' ', min(slot), max(slot), count(distinct slot)) from outbox_events"))
                .isEqualTo("0 63 64");
    }

    @ParameterizedTest
    @CsvSource({
        "aggregate_type = '', outbox_events_names_not_empty",
        "aggregate_id = '', outbox_events_names_not_empty",
        "event_type = '', outbox_events_names_not_empty",
        "headers = '[]', outbox_events_headers_object",
        "headers = 'null', outbox_events_headers_object",
        "attempts = -1, outbox_events_attempts_not_negative",
        "'processed_at = now(), dead_at = now()', outbox_events_processed_or_dead",
        "created_at = 'infinity', outbox_events_times_finite",
        "retry_after = '-infinity', outbox_events_times_finite",
        "'retry_after = now(), dead_at = now()', outbox_events_waiting_or_dead",
        "'last_error = repeat(''x'', 2001)', outbox_events_last_error_bounded",
        "aggregate_type = null, aggregate_type",
        "payload = null, payload",
        "'event_type = repeat(''x'', 101)', character varying(100)",
    })
    void badEventIsRejected(String change, String rule) {
        insert("order", "1", "order.created");

        assertThatThrownBy(() -> database.execute("update outbox_events set " + change))
                .hasMessageContaining(rule);
    }

    @ParameterizedTest
    @ValueSource(strings = {"seq", "slot", "bytes"})
    void whatTheDatabaseDrawsCannotBeChosen(String column) {
        insert("order", "1", "order.created");

        assertThatThrownBy(() -> database.execute("update outbox_events set " + column + " = 1"))
                .hasMessageContaining("column \"" + column + "\" can only be updated to DEFAULT");
    }

    @Test
    void eventIdIsUnique() {
        insert("order", "1", "order.created");

        assertThatThrownBy(() -> database.execute("insert into outbox_events"
                        + " (id, aggregate_type, aggregate_id, event_type, payload)"
                        + " select id, 'order', '2', 'order.created', '2' from outbox_events"))
                .hasMessageContaining("outbox_events_pkey");
    }

    @Test
    void appliedEventIsRecordedOnceForEachConsumer() {
        String event = "'00000000-0000-7000-8000-000000000000'";
        database.execute("insert into processed_events values ('shipping', " + event + "), ('billing', " + event + ")");

        assertThatThrownBy(() -> database.execute("insert into processed_events values ('shipping', " + event + ")"))
                .hasMessageContaining("processed_events_pkey");
        assertThatThrownBy(() -> database.execute("insert into processed_events values ('', " + event + ")"))
                .hasMessageContaining("processed_events_consumer_not_empty");
    }

    @Test
    void viewListsDeadLettersAlone() {
        insert("order", "1", "order.created");
        insert("order", "2", "order.created");
        database.execute("update outbox_events set dead_at = now() where aggregate_id = '2'");

        assertThat(database.column("select aggregate_id from outbox_dead_letters"))
                .containsExactly("2");
    }

    private void insert(String aggregateType, String aggregateId, String eventType) {
        database.execute("insert into outbox_events (aggregate_type, aggregate_id, event_type, payload) values ('"
                + aggregateType + "', '" + aggregateId + "', '" + eventType + "', '{\"total\": 10.00}')");
    }
}
