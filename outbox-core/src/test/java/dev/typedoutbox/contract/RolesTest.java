package dev.typedoutbox.contract;

import static dev.typedoutbox.relay.RelayFixture.quick;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.cleanup.Cleanup;
import dev.typedoutbox.cleanup.CleanupResult;
import dev.typedoutbox.cleanup.ProcessedEvents;
import dev.typedoutbox.cleanup.PublishedEvents;
import dev.typedoutbox.consumer.Applied;
import dev.typedoutbox.consumer.IdempotentConsumer;
import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.deadletter.DeadLetter;
import dev.typedoutbox.deadletter.DeadLetterFilter;
import dev.typedoutbox.deadletter.DeadLetters;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.PublishedRows;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfigBuilder;
import dev.typedoutbox.relay.RelayFixture;
import dev.typedoutbox.relay.RetryPolicy;
import dev.typedoutbox.support.LogRecorder;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/** Each role can do its work, and what is not its work it cannot. */
@Timeout(120)
class RolesTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();
    private static final RetryPolicy ONE_ATTEMPT = new RetryPolicy(1, Duration.ofMillis(1), Duration.ofMillis(2));

    private final InMemoryPublisher publisher = new InMemoryPublisher();

    @BeforeAll
    static void createRoles() {
        DATABASE.execute("revoke all on schema public from public");
        DATABASE.runRolesFile();
        DATABASE.runRolesFile();
    }

    @BeforeEach
    void empty() {
        DATABASE.empty();
    }

    @Test
    void writerWritesEvents() {
        DSLContext writer = as("outbox_writer");

        writer.transaction((Configuration tx) ->
                Outbox.create().publishAll(tx, List.of(event("1"), event("2").withHeader("tenant", "a"))));
        writer.execute("insert into outbox_events (aggregate_type, aggregate_id, event_type, payload)"
                + " values ('order', '3', 'order.created', '1')");

        assertThat(DATABASE.count("processed_at is null")).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select count(*) from outbox_events",
                "select id from outbox_dead_letters",
                "update outbox_events set processed_at = now()",
                "delete from outbox_events",
                "truncate outbox_events",
                "insert into outbox_events (aggregate_type, aggregate_id, event_type, payload, processed_at)"
                        + " values ('order', '1', 'order.created', '1', now())",
                "select nextval('outbox_events_seq_seq')",
                "select count(*) from processed_events",
                "insert into processed_events (consumer, event_id) values ('shipping', gen_random_uuid())"
            })
    void writerCanDoNothingElse(String sql) {
        assertDenied("outbox_writer", sql);
    }

    @Test
    void writersInsertWakesARelayThatSleeps() {
        DSLContext writer = as("outbox_writer");
        DataSource relayRole = DATABASE.asMemberOf("outbox_relay");
        RelayConfigBuilder config =
                quick().fallbackPollInterval(Duration.ofHours(1)).listenOn(relayRole);
        try (HikariDataSource pool = pool(relayRole);
                Relay relay = Relay.create(pool, publisher, config.build())) {
            relay.start();
            // Follow-up polls come 10, 30, 70 and so on, 2,550 and 5,110 ms after it fell asleep.
            await().atMost(Duration.ofSeconds(20)).during(Duration.ofSeconds(3)).until(RolesTest::aRelaySleeps);

            UUID id = writer.transactionResult(
                    (Configuration tx) -> Outbox.create().publish(tx, event("1")));

            await().atMost(Duration.ofSeconds(1))
                    .until(() -> publisher.sent().stream()
                            .anyMatch(event -> event.id().equals(id)));
            assertThat(relay.isListening()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void relayRunsWithAFloorAndWithFailures(PublishedRows rows) {
        DataSource relayRole = DATABASE.asMemberOf("outbox_relay");
        publisher.answer(RelayFixture.refusing("3"));
        RelayConfigBuilder config =
                quick().publishedRows(rows).retryPolicy(ONE_ATTEMPT).listenOn(relayRole);
        try (LogRecorder log = new LogRecorder();
                HikariDataSource pool = pool(relayRole);
                Relay relay = Relay.create(pool, publisher, config.build())) {
            relay.start();
            for (int round = 1; round <= 5; round++) {
                DATABASE.insertEvents(200, 20);
                RelayFixture.awaitPending(DATABASE, 0);
            }
            assertThat(DATABASE.count("dead_at is not null")).isEqualTo(50);
            assertThat(DATABASE.count("processed_at is not null")).isEqualTo(rows == PublishedRows.KEEP ? 950 : 0);
            assertThat(log.lines()).noneMatch(line -> line.contains("grant") || line.contains("permission"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update outbox_events set payload = '1'",
                "update outbox_events set aggregate_id = '1'",
                "insert into outbox_events (aggregate_type, aggregate_id, event_type, payload)"
                        + " values ('order', '1', 'order.created', '1')",
                "select nextval('outbox_events_seq_seq')",
                "select count(*) from processed_events"
            })
    void relayCanDoNothingElse(String sql) {
        assertDenied("outbox_relay", sql);
    }

    @Test
    void consumerAppliesEventsAndPurgesItsRecords() {
        DataSource role = DATABASE.asMemberOf("outbox_consumer");
        IdempotentConsumer consumer = IdempotentConsumer.create(role, "shipping", (tx, event) -> {});
        OutboxEvent one = OutboxEvent.builder(UUID.randomUUID()).build();
        OutboxEvent two = OutboxEvent.builder(UUID.randomUUID()).build();

        assertThat(consumer.apply(one)).isEqualTo(Applied.APPLIED);
        assertThat(consumer.apply(one)).isEqualTo(Applied.DUPLICATE);
        assertThat(consumer.applyAll(List.of(one, two))).hasSize(2);
        DATABASE.execute("update processed_events set processed_at = now() - interval '20 days'");

        assertThat(ProcessedEvents.create(role).purge(Duration.ofDays(30))).isZero();
        assertThat(Cleanup.builder(role).withoutPublishedEvents().build().runOnce())
                .isEqualTo(new CleanupResult(0, 2));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select count(*) from outbox_events",
                "update processed_events set consumer = 'billing'",
                "truncate processed_events"
            })
    void consumerCanDoNothingElse(String sql) {
        assertDenied("outbox_consumer", sql);
    }

    @Test
    void adminSeesToDeadLettersAndPurges() throws Exception {
        DataSource role = DATABASE.asMemberOf("outbox_admin");
        DATABASE.insertEvents(4, 4);
        publisher.answer(event -> PublishOutcome.refused("no such queue"));
        RelayFixture.runOnce(DATABASE.dataSource(), publisher, quick().retryPolicy(ONE_ATTEMPT));
        DeadLetters deadLetters = DeadLetters.of(role);

        List<DeadLetter> list = deadLetters.list(10);
        assertThat(list).hasSize(4);
        UUID first = list.get(0).id();
        assertThat(deadLetters.event(first)).isPresent();
        assertThat(deadLetters.retry(first)).isTrue();
        assertThat(deadLetters.discard(list.get(1).id(), "not wanted")).isTrue();
        assertThat(deadLetters.retryAll(DeadLetterFilter.ALL.withAggregateId("3")))
                .isEqualTo(1);
        assertThat(deadLetters.discardAll(DeadLetterFilter.ALL, "not wanted")).isEqualTo(1);
        DATABASE.execute("update outbox_events set processed_at = processed_at - interval '8 days'");
        DATABASE.execute("insert into processed_events values ('shipping', gen_random_uuid(), '2000-01-01')");

        assertThat(PublishedEvents.create(role).purge()).isEqualTo(2);
        assertThat(Cleanup.builder(role).build().runOnce()).isEqualTo(new CleanupResult(0, 1));
        assertThat(as("outbox_admin").fetch("select id from outbox_dead_letters"))
                .isEmpty();
    }

    @Test
    void adminSeesTheSessionsOfOthers() throws SQLException {
        try (Connection other = DATABASE.dataSource().getConnection()) {
            int session = other.unwrap(PGConnection.class).getBackendPID();
            assertThat(as("outbox_admin")
                            .fetchSingle("select backend_start from pg_stat_activity where pid = " + session)
                            .get(0))
                    .isNotNull();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update outbox_events set payload = '1'",
                "insert into outbox_events (aggregate_type, aggregate_id, event_type, payload)"
                        + " values ('order', '1', 'order.created', '1')",
                "insert into processed_events (consumer, event_id) values ('shipping', gen_random_uuid())",
                "truncate outbox_events"
            })
    void adminCannotWriteEventsOrChangeWhatTheySay(String sql) {
        assertDenied("outbox_admin", sql);
    }

    @ParameterizedTest
    @ValueSource(strings = {"outbox_writer", "outbox_relay", "outbox_consumer", "outbox_admin"})
    void everyRoleMayValidate(String role) {
        assertThatCode(() -> OutboxSchema.validate(DATABASE.asMemberOf(role))).doesNotThrowAnyException();
    }

    private static NewEvent event(String orderId) {
        return NewEvent.of("order", orderId, "order.created", "x");
    }

    private static DSLContext as(String role) {
        return OutboxDatabase.quiet(DATABASE.asMemberOf(role));
    }

    private static void assertDenied(String role, String sql) {
        DSLContext member = as(role);
        assertThatThrownBy(() -> member.execute(sql)).hasMessageContaining("permission denied");
    }

    private static HikariDataSource pool(DataSource dataSource) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(dataSource);
        config.setMaximumPoolSize(4);
        return new HikariDataSource(config);
    }

    private static boolean aRelaySleeps() {
        return DATABASE.value("select count(*) from pg_locks where locktype = 'advisory' and objid = 64"
                        + " and mode = 'ExclusiveLock' and classid = 'outbox_events'::regclass"
                        + " and database = (select oid from pg_database where datname = current_database())")
                .equals("1");
    }
}
