package dev.typedoutbox.migratein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A trigger that returns nothing keeps a row from its table, or in it, and says nothing. */
class LossyTriggersTest {
    private static final List<String> COPY = List.of("migrate-in/3-copy.sql");
    private static final List<String> COPY_BACK = List.of("migrate-in/back-2-copy.sql");

    private final PlainOutbox plain = new PlainOutbox(Place.SAME_NAME);

    @BeforeEach
    void writeOne() {
        plain.execute("insert into outbox_events (id, aggregate_type, aggregate_id, event_type, payload)"
                + " values (gen_random_uuid(), 'order', '1', 'order.placed', '{}')");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    insert | outbox_events              | must take all pending events (took 0 of 1)
                    delete | public_plain.outbox_events | must let all pending events go (kept 1)
                    """)
    void copyIsUndone(String action, String table, String complaint) {
        plain.run(
                List.of("migrate-in/1-set-aside.sql", "migration/V1__outbox.sql", "migrate-in/2-switch.sql"), Map.of());
        loseFrom(table, action);

        assertThatThrownBy(() -> plain.run(COPY, Map.of())).hasMessageContaining(complaint);
        assertThat(pendingIn("public_plain.outbox_events")).isEqualTo("1");

        plain.execute("drop function lose cascade");
        plain.run(COPY, Map.of());
        assertThat(pendingIn("outbox_events")).isEqualTo("1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    insert | outbox_events              | must take all pending events (took 0 of 1)
                    delete | public_typed.outbox_events | must let all pending events go (kept 1)
                    """)
    void copyBackIsUndone(String action, String table, String complaint) {
        plain.migrateIn(Map.of());
        plain.run(List.of("migrate-in/back-1-switch.sql"), Map.of());
        loseFrom(table, action);

        assertThatThrownBy(() -> plain.run(COPY_BACK, Map.of())).hasMessageContaining(complaint);
        assertThat(pendingIn("public_typed.outbox_events")).isEqualTo("1");

        plain.execute("drop function lose cascade");
        plain.run(COPY_BACK, Map.of());
        assertThat(pendingIn("outbox_events")).isEqualTo("1");
    }

    @ParameterizedTest
    @CsvSource({"insert, public_plain.outbox_events", "delete, outbox_events"})
    void wayBackIsRefusedBeforeTheSwitch(String action, String table) {
        plain.migrateIn(Map.of());
        loseFrom(table, action);

        assertThatThrownBy(plain::rollBack)
                .hasMessageContaining("no trigger before insert")
                .hasMessageContaining("(was losing of " + table + ")");

        assertThat(pendingIn("outbox_events")).isEqualTo("1");
        assertThat(plain.value("select to_regclass('public_typed.outbox_events')"))
                .isEqualTo("null");
    }

    private void loseFrom(String table, String action) {
        plain.execute("create function lose() returns trigger language plpgsql as 'begin return null; end'");
        plain.execute(
                "create trigger losing before " + action + " on " + table + " for each row execute function lose()");
    }

    private String pendingIn(String table) {
        return plain.value("select count(*) from " + table + " where processed_at is null");
    }
}
