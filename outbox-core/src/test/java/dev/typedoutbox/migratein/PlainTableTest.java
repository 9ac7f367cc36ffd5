package dev.typedoutbox.migratein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of the rows of a plain table, and which tables are refused. */
class PlainTableTest {
    private static final String INSERT =
            "insert into outbox_events" + " (id, aggregate_type, aggregate_id, event_type, payload, attempts) values ";
    private static final String IN_ORDER = "select id from outbox_events order by seq";

    private static final String REPEATABLE_READ = "do $$ begin execute format('alter database %I"
            + " set default_transaction_isolation = ''repeatable read''', current_database()); end $$";

    @Test
    void attemptsStartAnewAndWhatWasGivenUpIsADeadLetter() {
        PlainOutbox plain = new PlainOutbox(Place.SAME_NAME);
        plain.execute(INSERT + "(gen_random_uuid(), 'order', '1', 'order.placed', '{}', 4),"
                + "(gen_random_uuid(), 'order', '2', 'order.placed', '{}', 5)");

        plain.migrateIn(Map.of("given_up_attempts", "5"));

        assertThat(plain.column("select concat_ws(' ', aggregate_id, attempts, dead_at is not null, last_error)"
                        + " from outbox_events order by seq"))
                .containsExactly("1 0 f", "2 5 t given up by the relay before");
    }

    @Test
    void eventsOfOneTransactionKeepTheOrderOfTheirInsertsOrOfTheirTimeOrderedIds() {
        PlainOutbox plain = new PlainOutbox(Place.SAME_NAME);
        List<String> random = List.of(id('4', 3), id('4', 1), id('4', 2));
        List<String> timeOrdered = List.of(id('7', 1), id('7', 2));
        plain.execute(INSERT + row(random.get(0)) + "," + row(random.get(1)) + "," + row(random.get(2)));
        plain.execute(INSERT + row(timeOrdered.get(0)) + "," + row(timeOrdered.get(1)));
        // Its new version lies behind the other event.
        plain.execute("update outbox_events set attempts = 1 where id = '" + timeOrdered.get(0) + "'");

        plain.migrateIn(Map.of());

        assertThat(plain.column(IN_ORDER))
                .containsExactly(random.get(0), random.get(1), random.get(2), timeOrdered.get(0), timeOrdered.get(1));
    }

    @Test
    void usualVariantsOfTheColumnsMoveInAndBack() {
        PlainOutbox plain = new PlainOutbox(Place.OTHER_NAME, """
                id uuid primary key, aggregate_type text, aggregate_id uuid, event_type text, payload json,
                attempts bigint default 0, created_at timestamp default now(), processed_at timestamp
                """);
        String rows = "select concat_ws(' ', id, aggregate_id, payload::jsonb, attempts, created_at) from ";
        plain.execute(
                "insert into " + Place.OTHER_NAME.inSql() + " (id, aggregate_type, aggregate_id, event_type, payload)"
                        + " values (gen_random_uuid(), 'order', gen_random_uuid(), 'order.placed', '{\"total\": 19.90}')");
        List<String> before = plain.column(rows + Place.OTHER_NAME.inSql());

        plain.migrateIn(Map.of());
        assertThat(plain.value("select count(*) from outbox_events")).isEqualTo("1");

        plain.rollBack();
        assertThat(plain.column(rows + Place.OTHER_NAME.inSql())).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    aggregate_id varchar(4)                       | abcde   | was otherwise in 1, such as 00000000
                    aggregate_id char(4)                          | abcde   | was otherwise in 1, such as 00000000
                    aggregate_id short_name                       | abcde   | was otherwise in 1, such as 00000000
                    aggregate_id uuid                             | abcde   | invalid input syntax for type uuid: "abcde"
                    """)
    void namesThatThePlainTableCannotTakeKeepItFromTheWayBack(String column, String name, String complaint) {
        PlainOutbox plain = withAggregateId(column);
        plain.migrateIn(Map.of());
        plain.execute(INSERT + row(id('4', 1)));
        plain.execute("update outbox_events set aggregate_id = '" + name + "'");

        assertThatThrownBy(plain::rollBack)
                .hasMessageContaining("pending events of public.outbox_events")
                .hasMessageContaining(complaint);

        assertThat(plain.column("select aggregate_id from outbox_events")).containsExactly(name);
        assertThat(plain.value("select to_regclass('public_plain.outbox_events')"))
                .isEqualTo("public_plain.outbox_events");
    }

    @ParameterizedTest
    @ValueSource(strings = {"aggregate_id varchar(4)", "aggregate_id char(4)", "aggregate_id short_name"})
    void theCopyBackDoesNotCutNames(String column) {
        PlainOutbox plain = withAggregateId(column);
        plain.migrateIn(Map.of());
        plain.execute(INSERT + row(id('4', 1)));
        plain.run(List.of("migrate-in/back-1-switch.sql"), Map.of());
        plain.execute("update public_typed.outbox_events set aggregate_id = 'abcde'");

        assertThatThrownBy(() -> plain.run(List.of("migrate-in/back-2-copy.sql"), Map.of()))
                .hasMessageContaining("value too long");

        assertThat(plain.column("select aggregate_id from public_typed.outbox_events"))
                .containsExactly("abcde");
    }

    @ParameterizedTest
    @ValueSource(strings = {"aggregate_id varchar(4)", "aggregate_id char(4)", "aggregate_id short_name"})
    void namesThatFitComeBack(String column) {
        PlainOutbox plain = withAggregateId(column);
        plain.migrateIn(Map.of());
        plain.execute(INSERT + row(id('4', 1)));
        plain.execute("update outbox_events set aggregate_id = 'abcd'");

        plain.rollBack();

        assertThat(plain.column("select aggregate_id from outbox_events")).containsExactly("abcd");
    }

    @Test
    void filesThatAreRunTwiceOrAloneDoNothing() {
        PlainOutbox plain = new PlainOutbox(Place.OTHER_NAME);
        plain.fill(10);
        assertThatThrownBy(() -> plain.run(List.of("migrate-in/2-switch.sql"), Map.of()))
                .hasMessageContaining("must have been set aside");
        assertThatThrownBy(plain::rollBack).hasMessageContaining("must have been set aside");

        plain.migrateIn(Map.of());
        List<String> events = plain.column(IN_ORDER);
        plain.run(List.of("migrate-in/3-copy.sql"), Map.of());
        assertThatThrownBy(() -> plain.run(List.of("migrate-in/2-switch.sql"), Map.of()))
                .hasMessageContaining("must have been set aside in this transaction");
        assertThatThrownBy(() -> plain.migrateIn(Map.of()))
                .hasMessageContaining("must be a table of its own (was a view");
        assertThatThrownBy(() -> plain.run(List.of("migrate-in/back-2-copy.sql"), Map.of()))
                .hasMessageContaining("must have been switched on again");

        assertThat(plain.column(IN_ORDER)).isEqualTo(events).hasSize(5);
    }

    @Test
    void aSecondSwitchDoesNotMoveTheNumbersKeptForOldEvents() {
        PlainOutbox plain = new PlainOutbox(Place.SAME_NAME);
        plain.execute(INSERT + row(id('4', 1)));
        plain.run(
                List.of("migrate-in/1-set-aside.sql", "migration/V1__outbox.sql", "migrate-in/2-switch.sql"), Map.of());
        plain.execute(INSERT + row(id('4', 2)));

        assertThatThrownBy(() -> plain.run(List.of("migrate-in/2-switch.sql"), Map.of()))
                .hasMessageContaining("must have been set aside in this transaction");
        plain.run(List.of("migrate-in/3-copy.sql"), Map.of());

        assertThat(plain.column(IN_ORDER)).containsExactly(id('4', 1), id('4', 2));
    }

    @Test
    void anEventThatIsWrittenAgainAfterTheSwitchIsThereOnce() {
        PlainOutbox plain = new PlainOutbox(Place.SAME_NAME);
        plain.execute(INSERT + row(id('4', 1)) + "," + row(id('4', 2)));
        plain.run(
                List.of("migrate-in/1-set-aside.sql", "migration/V1__outbox.sql", "migrate-in/2-switch.sql"), Map.of());
        plain.execute(INSERT + row(id('4', 1)));
        plain.run(List.of("migrate-in/3-copy.sql"), Map.of());

        assertThat(plain.column(IN_ORDER)).containsExactly(id('4', 2), id('4', 1));
        assertThat(plain.value("select count(*) from public_plain.outbox_events"))
                .isEqualTo("0");
    }

    @Test
    void anEventThatIsWrittenAgainAfterTheWayBackIsThereOnce() {
        PlainOutbox plain = new PlainOutbox(Place.SAME_NAME);
        plain.execute(INSERT + row(id('4', 3)));
        plain.execute("update outbox_events set processed_at = now()");
        plain.migrateIn(Map.of());
        plain.execute(INSERT + row(id('4', 1)) + "," + row(id('4', 2)) + "," + row(id('4', 3)));
        plain.run(List.of("migrate-in/back-1-switch.sql"), Map.of());
        plain.execute(INSERT + row(id('4', 1)));
        plain.run(List.of("migrate-in/back-2-copy.sql"), Map.of());

        assertThat(plain.column("select id from outbox_events where processed_at is null order by id"))
                .containsExactly(id('4', 1), id('4', 2));
        assertThat(plain.column("select id from public_typed.outbox_events"))
                .as("the relay before has published it")
                .containsExactly(id('4', 3));
    }

    @ParameterizedTest
    @EnumSource
    void whatIsBoundToTheNewTableKeepsItFromTheWayBack(Place place) {
        PlainOutbox plain = new PlainOutbox(place);
        plain.migrateIn(Map.of());
        plain.execute("create function publish() returns void language sql"
                + " begin atomic insert into outbox_events (id) values (null); end");
        plain.execute("create view readers as select id from outbox_events");
        plain.execute("create function latest() returns outbox_events language sql"
                + " as 'select * from outbox_events order by seq desc limit 1'");

        assertThatThrownBy(plain::rollBack)
                .hasMessageContaining("(was function latest(), function publish(), rule _RETURN on view readers)");

        plain.execute("drop view readers; drop function publish(), latest()");
        plain.rollBack();
    }

    @Test
    void rowsThatAPolicyHidesAreNotLeftBehindInSilence() {
        PlainOutbox plain = new PlainOutbox(Place.SAME_NAME);
        plain.execute(INSERT + row(id('4', 1)));
        plain.execute("alter table outbox_events enable row level security, force row level security");

        assertThatThrownBy(() -> plain.runAsOwner("migrate-in/1-set-aside.sql"))
                .hasMessageContaining("row-level security policy");

        assertThat(plain.column("select id from outbox_events")).containsExactly(id('4', 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "5.5", "many"})
    void attemptsAtWhichNothingIsGivenUpAreRefusedBeforeTheSwitch(String attempts) {
        PlainOutbox plain = new PlainOutbox(Place.SAME_NAME);

        assertThatThrownBy(() -> plain.migrateIn(Map.of("given_up_attempts", attempts)))
                .hasMessageContaining("must be a whole number from 1 to 999999999 (was " + attempts + ")");

        assertThat(plain.value("select to_regnamespace('public_plain')")).isEqualTo("null");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    alter table outbox_events alter payload type text               | (was payload text)
                    alter table outbox_events alter processed_at type date          | (was processed_at date)
                    alter table outbox_events add topic text                        | processed_at, topic)
                    alter table outbox_events drop attempts                         | (was aggregate_id, aggregate_type, created_at
                    alter table outbox_events alter aggregate_id type text; update outbox_events set aggregate_id = repeat('x', 101) | otherwise in 1, such as 00000000
                    update outbox_events set created_at = 'infinity'                | otherwise in 1, such as 00000000
                    update outbox_events set attempts = -1                          | attempts from 0 to 2147483647
                    alter table outbox_events drop constraint outbox_events_pkey; alter table outbox_events alter id drop not null; update outbox_events set id = null | an id
                    alter table outbox_events drop constraint outbox_events_pkey; insert into outbox_events select * from outbox_events | for 1 ids such as 00000000
                    alter table outbox_events alter aggregate_type set default 'order' | (was otherwise for aggregate_type)
                    create domain type as text default 'order.placed'; alter table outbox_events alter event_type type type | (was otherwise for event_type)
                    create function fill() returns trigger language plpgsql as 'begin return new; end'; create trigger filling before insert or update on outbox_events for each row execute function fill() | no trigger before insert or delete (was filling)
                    create function keep() returns trigger language plpgsql as 'begin return null; end'; create trigger keeping before delete on outbox_events for each row execute function keep() | no trigger before insert or delete (was keeping)
                    create table delivery (event uuid constraint about references outbox_events) | (was by about of delivery)
                    create view readers as select id from outbox_events             | (was rule _RETURN on view readers)
                    create function publish() returns void language sql begin atomic insert into outbox_events (id) values (null); end | (was function publish())
                    create function readers() returns setof outbox_events language sql as 'select * from outbox_events' | (was function readers())
                    create table archive (events outbox_events[])                   | (was column events of table archive)
                    create table delivery (event uuid); create policy sent on delivery using (exists (select from outbox_events where id = event)) | (was policy sent on table delivery)
                    create rule also as on insert to outbox_events do also notify events | (was rule also on table outbox_events)
                    create table child () inherits (outbox_events)                  | (was by or from child)
                    alter table outbox_events drop created_at, add created_at timestamptz generated always as (null) stored | must not be generated
                    alter table outbox_events alter attempts drop default, alter attempts add generated always as identity | must not be generated
                    alter table outbox_events alter payload type json; update outbox_events set payload = '"\\u0000"' | was otherwise in 00000000-0000-4000-8000-000000000001: unsupported Unicode
                    drop table outbox_events                                        | must exist (was missing)
                    """)
    void otherTablesAreRefusedAndNothingIsDone(String change, String complaint) {
        PlainOutbox plain = new PlainOutbox(Place.SAME_NAME);
        plain.execute(INSERT + row(id('4', 1)));
        plain.execute(change);

        assertThatThrownBy(() -> plain.migrateIn(Map.of()))
                .hasMessageContaining("public.outbox_events")
                .hasMessageContaining(complaint);

        assertThat(plain.value("select to_regclass('processed_events')")).isEqualTo("null");
        assertThat(plain.value("select to_regnamespace('public_plain')")).isEqualTo("null");
    }

    @Test
    void schemaOfTheOutboxHasRoomForTheNameThatTheWayBackGives() {
        PlainOutbox plain = new PlainOutbox(Place.SAME_NAME);
        String schema = "s".repeat(58);
        plain.execute("create schema " + schema);
        plain.execute("do $$ begin execute format('alter database %I set search_path = " + schema
                + "', current_database()); end $$");

        assertThatThrownBy(() -> plain.migrateIn(Map.of()))
                .hasMessageContaining("schema " + schema + " must have a name of at most 57 bytes");
    }

    @Test
    void whatIsCommittedBeforeTheLockIsHadIsCheckedToo() {
        PlainOutbox plain = new PlainOutbox(Place.SAME_NAME);
        plain.execute("alter table outbox_events alter aggregate_id type text");
        plain.execute(REPEATABLE_READ);

        assertThatThrownBy(() -> plain.whileUncommitted(
                        INSERT + "('" + id('4', 1) + "', 'order', repeat('x', 300), 'order.placed', '{}', 0)",
                        () -> plain.migrateIn(Map.of())))
                .hasMessageContaining("otherwise in 1, such as 00000000");

        assertThat(plain.value("select to_regnamespace('public_plain')")).isEqualTo("null");
    }

    @Test
    void whatIsCommittedBeforeTheLockOfTheWayBackIsHadIsCheckedToo() {
        PlainOutbox plain = withAggregateId("aggregate_id varchar(4)");
        plain.migrateIn(Map.of());
        plain.execute(REPEATABLE_READ);

        assertThatThrownBy(() -> plain.whileUncommitted(
                        INSERT + "('" + id('4', 1) + "', 'order', 'abcde', 'order.placed', '{}', 0)", plain::rollBack))
                .hasMessageContaining("otherwise in 1, such as 00000000");

        assertThat(plain.value("select to_regnamespace('public_typed')")).isEqualTo("null");
    }

    private static PlainOutbox withAggregateId(String column) {
        PlainOutbox plain = new PlainOutbox(Place.SAME_NAME);
        plain.execute("create domain short_name as varchar(4)");
        plain.execute("alter table outbox_events drop aggregate_id, add " + column);
        return plain;
    }

    private static String id(char version, int number) {
        return "00000000-0000-" + version + "000-8000-00000000000" + number;
    }

    private static String row(String id) {
        return "('" + id + "', 'order', '1', 'order.placed', '{}', 0)";
    }
}
