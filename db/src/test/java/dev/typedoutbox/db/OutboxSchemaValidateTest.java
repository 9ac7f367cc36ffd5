package dev.typedoutbox.db;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OutboxSchemaValidateTest {
    private static final String FIX =
            " call OutboxSchema.migrate, or run the SQL files in dev/typedoutbox/db/migration";

    private final TestDatabase database = new TestDatabase();

    @Test
    void missingTablesAreNamed() {
        assertThatThrownBy(validating())
                .isInstanceOf(OutboxSchemaException.class)
                .hasMessage("schema \"public\" must hold outbox_events (was missing):" + FIX);
    }

    @Test
    void missingSchemaIsNamed() {
        assertThatThrownBy(() -> OutboxSchema.validate(database.dataSource(), "Billing"))
                .isInstanceOf(OutboxSchemaException.class)
                .hasMessage("schema \"Billing\" must hold outbox_events (was missing):" + FIX);
    }

    @ParameterizedTest
    @CsvSource({
        "outbox_events, alter table outbox_events drop column headers cascade, column headers",
        "outbox_events, drop index idx_outbox_unprocessed, index idx_outbox_unprocessed",
        "outbox_events, drop index idx_outbox_waiting, index idx_outbox_waiting",
        "outbox_events, drop index idx_outbox_dead, index idx_outbox_dead",
        "outbox_events, drop trigger outbox_wake_relay on outbox_events, trigger outbox_wake_relay",
        "processed_events, alter table processed_events drop column processed_at, column processed_at",
        "processed_events, drop index idx_processed_events_time, index idx_processed_events_time",
        "processed_events, alter table processed_events drop constraint processed_events_pkey,"
                + " index processed_events_pkey",
    })
    void olderTableIsRefused(String table, String change, String missing) {
        OutboxSchema.migrate(database.dataSource());
        database.execute(change);

        assertThatThrownBy(validating())
                .isInstanceOf(OutboxSchemaException.class)
                .hasMessage("table \"public\"." + table + " must have " + missing + " (was missing): the table is older"
                        + " than this version of Typed Outbox, or not its own;" + FIX);
    }

    @ParameterizedTest
    @CsvSource({
        "drop table processed_events, processed_events",
        "drop view outbox_dead_letters, outbox_dead_letters",
    })
    void missingTableOrViewIsRefused(String change, String missing) {
        OutboxSchema.migrate(database.dataSource());
        database.execute(change);

        assertThatThrownBy(validating())
                .isInstanceOf(OutboxSchemaException.class)
                .hasMessageContaining("must hold " + missing + " (was missing)");
    }

    @Test
    void indexThatAnAbortedBuildLeftInvalidIsRefused() {
        OutboxSchema.migrate(database.dataSource());
        insertTwoEvents();
        database.execute("drop index idx_outbox_dead");
        assertThatThrownBy(() -> database.execute(
                        "create unique index concurrently idx_outbox_dead on outbox_events (aggregate_type)"))
                .hasMessageContaining("could not create unique index");

        assertThatThrownBy(validating())
                .isInstanceOf(OutboxSchemaException.class)
                .hasMessage("index \"public\".idx_outbox_dead must be valid (was invalid, as after an aborted build):"
                        + " drop it and create it again");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "disable trigger all",
                "enable replica trigger outbox_wake_relay",
            })
    void triggerThatWritersDoNotFireIsRefused(String change) {
        OutboxSchema.migrate(database.dataSource());
        database.execute("alter table outbox_events " + change);

        assertThatThrownBy(validating())
                .isInstanceOf(OutboxSchemaException.class)
                .hasMessage(
                        "trigger outbox_wake_relay of table \"public\".outbox_events must be enabled (was disabled), or"
                                + " events wait for the next poll: alter table ... enable trigger outbox_wake_relay");
        database.execute("alter table outbox_events enable always trigger outbox_wake_relay");
        assertThatCode(validating()).doesNotThrowAnyException();
    }

    @Test
    void newerSchemaPasses() {
        OutboxSchema.migrate(database.dataSource());
        database.execute("alter table outbox_events add column trace text");
        database.execute("create index idx_outbox_later on outbox_events (trace)");

        assertThatCode(validating()).doesNotThrowAnyException();
    }

    @Test
    void roleWithoutRightsOnTheTablesMayValidate() {
        OutboxSchema.migrate(database.dataSource(), "hidden");

        assertThatCode(() -> OutboxSchema.validate(database.asNewRole(), "hidden"))
                .doesNotThrowAnyException();
    }

    private ThrowingCallable validating() {
        return () -> OutboxSchema.validate(database.dataSource());
    }

    private void insertTwoEvents() {
        database.execute("insert into outbox_events (aggregate_type, aggregate_id, event_type, payload)"
                + " values ('order', '1', 'order.created', '1'), ('order', '2', 'order.created', '2')");
    }
}
