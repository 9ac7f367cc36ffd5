package dev.typedoutbox.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class OutboxSchemaMigrateTest {
    private static final String NAME_RULE =
            "schema must be at most 63 bytes in UTF-8 and not begin with pg_, as PostgreSQL demands";

    private final TestDatabase database = new TestDatabase();

    @Test
    void emptySchemaGetsTheTables() {
        OutboxSchema.migrate(database.dataSource());

        OutboxSchema.validate(database.dataSource());
        assertThat(history("public")).containsExactly("1 SQL");
    }

    @Test
    void fullSchemaGetsTheTables() {
        database.execute("create table orders (id bigint primary key)");

        OutboxSchema.migrate(database.dataSource());

        OutboxSchema.validate(database.dataSource());
        assertThat(history("public")).containsExactly("0 BASELINE", "1 SQL");
    }

    @Test
    void migratingAgainChangesNothing() {
        OutboxSchema.migrate(database.dataSource());
        database.execute("insert into outbox_events (aggregate_type, aggregate_id, event_type, payload)"
                + " values ('order', '1', 'order.created', '1')");

        OutboxSchema.migrate(database.dataSource());

        assertThat(database.value("select count(*) from outbox_events")).isEqualTo("1");
        assertThat(history("public")).hasSize(1);
    }

    @Test
    void tablesMadeByHandAreTakenOver() {
        database.runMigrationFileIn("public");

        OutboxSchema.migrate(database.dataSource());

        assertThat(history("public")).containsExactly("1 BASELINE");
        assertThatCode(() -> OutboxSchema.migrate(database.dataSource())).doesNotThrowAnyException();
    }

    @Test
    void tablesMadeByHandThatAreIncompleteAreRefusedAndLeftAlone() {
        database.runMigrationFileIn("public");
        database.execute("drop index idx_outbox_waiting");

        assertThatThrownBy(() -> OutboxSchema.migrate(database.dataSource()))
                .isInstanceOf(OutboxSchemaException.class)
                .hasMessageContaining("must have index idx_outbox_waiting (was missing)");
        assertThat(tables("public")).doesNotContain(OutboxSchema.HISTORY_TABLE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"billing", "Billing", "Order Outbox", "a\"b", "müller"})
    void schemaOfAnyNameIsCreatedAndFilled(String schema) {
        OutboxSchema.migrate(database.dataSource(), schema);

        OutboxSchema.validate(database.dataSource(), schema);
        assertThat(tables(schema)).contains("outbox_events", "processed_events", OutboxSchema.HISTORY_TABLE);
        assertThat(tables("public")).isEmpty();
    }

    @Test
    void twoSchemasOfOneDatabaseHaveTheirOwnTables() {
        OutboxSchema.migrate(database.dataSource(), "one");
        OutboxSchema.migrate(database.dataSource(), "two");

        database.execute("insert into one.outbox_events (aggregate_type, aggregate_id, event_type, payload)"
                + " values ('order', '1', 'order.created', '1')");

        assertThat(database.value("select count(*) from two.outbox_events")).isEqualTo("0");
        assertThat(database.value("select count(*) from one.outbox_dead_letters"))
                .isEqualTo("0");
    }

    @Test
    void triggerOfACustomSchemaWorksWhateverTheSearchPath() {
        OutboxSchema.migrate(database.dataSource(), "Order Outbox");

        database.execute("set search_path = pg_catalog; insert into \"Order Outbox\".outbox_events"
                + " (aggregate_type, aggregate_id, event_type, payload) values ('order', '1', 'order.created', '1')");

        assertThat(database.value("select count(*) from \"Order Outbox\".outbox_events"))
                .isEqualTo("1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"outbox_events", "processed_events", "outbox_dead_letters"})
    void foreignTableOfOneOfOurNamesIsRefusedAndLeftAlone(String name) {
        database.execute("create table " + name + " (id bigint primary key)");

        assertThatThrownBy(() -> OutboxSchema.migrate(database.dataSource()))
                .isInstanceOf(OutboxSchemaException.class)
                .hasMessageContaining(name)
                .hasMessageContaining("not its own");
        assertThat(database.column(
                        "select column_name from information_schema.columns where table_name = '" + name + "'"))
                .containsExactly("id");
        assertThat(tables("public")).containsExactly(name);
    }

    @Test
    void roleThatMayNotCreateIsToldSo() {
        assertThatThrownBy(() -> OutboxSchema.migrate(database.asNewRole()))
                .isInstanceOf(OutboxSchemaException.class)
                .hasMessage(
                        "the role must have the right CREATE on schema \"public\" (was missing): grant it, or run the"
                                + " SQL files in dev/typedoutbox/db/migration as another role");
    }

    @Test
    void roleThatMayNotCreateASchemaIsToldSo() {
        assertThatThrownBy(() -> OutboxSchema.migrate(database.asNewRole(), "billing"))
                .isInstanceOf(OutboxSchemaException.class)
                .hasMessageStartingWith("the role must have the right CREATE on the database, to create schema"
                        + " \"billing\" (was missing)");
    }

    @Test
    void emptyHistoryOfAFirstRunThatWasKilledIsNoObstacle() {
        OutboxSchema.migrate(database.dataSource());
        database.execute("drop table outbox_events, processed_events cascade");
        database.execute("drop function outbox_wake_relay");
        database.execute("delete from " + OutboxSchema.HISTORY_TABLE);

        OutboxSchema.migrate(database.dataSource());

        OutboxSchema.validate(database.dataSource());
    }

    /** PostgreSQL counts bytes, and cuts what is longer. */
    @ParameterizedTest
    @MethodSource("longestNames")
    void schemaWithTheLongestNameIsMigrated(String longest) {
        OutboxSchema.migrate(database.dataSource(), longest);

        OutboxSchema.validate(database.dataSource(), longest);
    }

    static List<String> longestNames() {
        return List.of("x".repeat(63), "ä".repeat(31) + "x");
    }

    @ParameterizedTest
    @MethodSource("longestNames")
    void longerNameIsRefused(String longest) {
        assertThatThrownBy(() -> OutboxSchema.migrate(database.dataSource(), longest + "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(NAME_RULE + " (was \"" + longest + "x\", 64 bytes)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\0b", "a\ud800b", "a\udc00"})
    void nameWithACharacterThatPostgresDoesNotKnowIsRefused(String name) {
        assertThatThrownBy(() -> OutboxSchema.requireName(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("schema must not contain U+0000 or a lone surrogate (was \"a?" + name.replaceFirst("a.", "")
                        + "\")");
    }

    @Test
    void nameThatASearchPathTakesForAnotherIsRefused() {
        assertThatThrownBy(() -> OutboxSchema.migrate(database.dataSource(), "$user"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must not be $user");
    }

    @Test
    void nameThatPostgresKeepsForItselfIsRefused() {
        assertThatThrownBy(() -> OutboxSchema.requireName("pg_outbox"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(NAME_RULE + " (was \"pg_outbox\", 9 bytes)");
        assertThat(OutboxSchema.requireName("pgoutbox")).isEqualTo("pgoutbox");
    }

    @Test
    void blankSchemaIsRefused() {
        assertThatThrownBy(() -> OutboxSchema.migrate(database.dataSource(), " "))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("schema must be the name of a schema (was blank)");
    }

    @Test
    void databaseThatDoesNotAnswerIsADataAccessException() {
        var nowhere = new org.postgresql.ds.PGSimpleDataSource();
        nowhere.setURL("jdbc:postgresql://127.0.0.1:1/none");

        assertThatThrownBy(() -> OutboxSchema.migrate(nowhere)).isInstanceOf(DataAccessException.class);
        assertThatThrownBy(() -> OutboxSchema.validate(nowhere)).isInstanceOf(DataAccessException.class);
    }

    private List<String> history(String schema) {
        return database.column("select version || ' ' || type from \"" + schema + "\"." + OutboxSchema.HISTORY_TABLE
                + " order by installed_rank");
    }

    private List<String> tables(String schema) {
        return database.column("select relname from pg_class c join pg_namespace n on n.oid = c.relnamespace"
                + " where relkind in ('r', 'v') and nspname = '" + schema + "'");
    }
}
