package dev.typedoutbox.relay;

import static dev.typedoutbox.relay.RelayFixture.drain;
import static dev.typedoutbox.relay.RelayFixture.placesByAggregate;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static dev.typedoutbox.relay.RelayFixture.runOnce;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What one batch takes, sends and marks. */
class RelayBatchTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();

    private final InMemoryPublisher publisher = new InMemoryPublisher();

    @BeforeEach
    void empty() {
        DATABASE.empty();
    }

    @Test
    void nothingPendingIsAnEmptyBatch() throws Exception {
        assertThat(runOnce(DATABASE.dataSource(), publisher, quick())).isEqualTo(new BatchResult(0, 0, 0, 0, 0));
    }

    @Test
    void eventIsSentAsItWasWrittenAndMarked() throws Exception {
        UUID id = DATABASE.publishAll(List.of(NewEvent.ofJson("order", "7", "order.created", "{\"total\":10.00}")
                        .withHeader("tenant", "é")
                        .withHeader("version", 2)
                        .withHeader("test", true)))
                .get(0);

        BatchResult result = runOnce(DATABASE.dataSource(), publisher, quick());

        assertThat(result).isEqualTo(new BatchResult(1, 1, 0, 0, 0));
        OutboxEvent sent = publisher.sent().get(0);
        assertThat(List.of(sent.id(), sent.aggregateType(), sent.aggregateId(), sent.eventType(), sent.seq()))
                .containsExactly(id, "order", "7", "order.created", 1L);
        assertThat(sent.payloadAsText()).isEqualTo("{\"total\": 10.00}");
        assertThat(sent.headers()).isEqualTo(Map.of("tenant", "é", "version", 2L, "test", true));
        assertThat(DATABASE.count("processed_at >= created_at and attempts = 0 and last_error is null"))
                .isEqualTo(1);
        assertThat(runOnce(DATABASE.dataSource(), publisher, quick()).fetched()).isZero();
    }

    @Test
    void eventsOfEachAggregateLeaveInTheOrderOfWriting() {
        DATABASE.insertEvents(1000, 30);

        drain(DATABASE, publisher, quick().batchSize(70));

        assertThat(publisher.sent()).hasSize(1000);
        assertThat(placesByAggregate(publisher.sent()).values())
                .hasSize(30)
                .allSatisfy(places -> assertThat(places).isSorted());
    }

    @Test
    void oneEventOfEachAggregateIsInFlightAtATime() throws Exception {
        DATABASE.insertEvents(12, 4);

        runOnce(DATABASE.dataSource(), publisher, quick());

        assertThat(publisher.sendings()).containsExactly(4, 4, 4);
    }

    @Test
    void withoutOrderAllAreInFlightTogether() throws Exception {
        DATABASE.insertEvents(12, 4);

        runOnce(DATABASE.dataSource(), publisher, quick().ordered(false));

        assertThat(publisher.sendings()).containsExactly(12);
    }

    @Test
    void aBatchIsFollowedAtOnceByTheNext() {
        DATABASE.insertEvents(10_000, 500);
        long start = System.nanoTime();

        drain(DATABASE, publisher, quick().batchSize(100).pollInterval(Duration.ofSeconds(1)));

        assertThat(publisher.sent()).hasSize(10_000);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(15));
    }

    @Test
    void rowsOfOneInstantAreAllSent() {
        DATABASE.insertEvents(500, 500);
        assertThat(DATABASE.value("select count(distinct created_at) from outbox_events"))
                .isEqualTo("1");

        drain(DATABASE, publisher, quick().batchSize(10));

        assertThat(publisher.sent()).extracting(OutboxEvent::id).hasSize(500).doesNotHaveDuplicates();
    }

    @Test
    void batchHoldsAtMostItsBytes() throws Exception {
        DATABASE.execute("insert into outbox_events (aggregate_type, aggregate_id, event_type, payload)"
                + " select 'order', '1', 'e', to_jsonb((select string_agg(md5((n * 100 + m)::text), '')"
                + " from generate_series(1, 30) m)) from generate_series(1, 10) n");

        assertThat(runOnce(DATABASE.dataSource(), publisher, quick().maxBatchBytes(3500))
                        .fetched())
                .isEqualTo(3);
    }

    @Test
    void compressedPayloadsCountAsTheTextThatTheyBecome() throws Exception {
        DATABASE.execute("insert into outbox_events (aggregate_type, aggregate_id, event_type, payload)"
                + " select 'order', '1', 'e', to_jsonb(repeat('x', 100000)) from generate_series(1, 10)");
        assertThat(DATABASE.count("pg_column_size(payload) > 10000")).isZero();

        assertThat(runOnce(DATABASE.dataSource(), publisher, quick().maxBatchBytes(350_000))
                        .fetched())
                .isEqualTo(3);
    }

    @Test
    void eventLargerThanABatchGoesAlone() throws Exception {
        DATABASE.insertEvents(3, 1);

        assertThat(runOnce(DATABASE.dataSource(), publisher, quick().maxBatchBytes(1)))
                .isEqualTo(new BatchResult(1, 1, 0, 0, 0));
    }

    @Test
    void plainInsertWithAnyHeadersIsSent() throws Exception {
        String deep = "[".repeat(2000) + "]".repeat(2000);
        DATABASE.execute("insert into outbox_events (aggregate_type, aggregate_id, event_type, payload, headers)"
                + " values ('order', '1', 'e', 'null', '{\"text\": \"a\", \"whole\": 12, \"huge\": 12345678901234567890,"
                + " \"decimal\": 1.50, \"yes\": true, \"none\": null, \"list\": [1, \"a, b\"], \"object\": {\"a\": {}},"
                + " \"\": 1e2000, \"deep\": " + deep + "}')");

        assertThat(runOnce(DATABASE.dataSource(), publisher, quick()).published())
                .isEqualTo(1);
        assertThat(publisher.sent().get(0).headers())
                .containsAllEntriesOf(Map.of(
                        "text", "a",
                        "whole", 12L,
                        "huge", "12345678901234567890",
                        "decimal", "1.50",
                        "yes", true,
                        "list", "[1, \"a, b\"]",
                        "object", "{\"a\": {}}",
                        "deep", deep))
                .containsEntry("", "1" + "0".repeat(2000))
                .hasSize(9);
    }

    @Test
    void rowThatAnotherSessionHasLockedIsPassedOverAndHoldsBackItsAggregate() throws Exception {
        DATABASE.insertEvents(6, 2);
        try (Connection other = DATABASE.dataSource().getConnection()) {
            other.setAutoCommit(false);
            other.createStatement().execute("select * from outbox_events where seq = 3 for update");

            runOnce(DATABASE.dataSource(), publisher, quick());

            assertThat(placesByAggregate(publisher.sent()))
                    .isEqualTo(Map.of("1", List.of(1L), "0", List.of(2L, 4L, 6L)));
        }
        runOnce(DATABASE.dataSource(), publisher, quick());
        assertThat(placesByAggregate(publisher.sent()).get("1")).containsExactly(1L, 3L, 5L);
    }

    @Test
    void aggregatesBehindOneThatAnotherSessionHoldsDoNotWaitForIt() throws Exception {
        DATABASE.insertEvents(4, 1);
        String sameSlot = DATABASE.value("select n from generate_series(1, 1000) n where (hashtextextended(n::text,"
                + " hashtextextended('order', 0)) & 63)::smallint = (select min(slot) from outbox_events) limit 1");
        DATABASE.publish(sameSlot, "order.created");
        try (Connection other = DATABASE.dataSource().getConnection()) {
            other.setAutoCommit(false);
            other.createStatement().execute("select * from outbox_events where seq = 1 for update");

            assertThat(runOnce(DATABASE.dataSource(), publisher, quick().batchSize(2))
                            .published())
                    .isEqualTo(1);

            assertThat(publisher.sent()).extracting(OutboxEvent::aggregateId).containsExactly(sameSlot);
        }
    }

    @Test
    void namesOfHeadersThatAreMadeToCollideStopNothing() throws Exception {
        DATABASE.execute("insert into outbox_events (aggregate_type, aggregate_id, event_type, payload, headers)"
                + " select 'order', '1', 'order.created', '1', jsonb_object_agg(name, 1) from (select string_agg("
                + " case when n & (1 << bit) = 0 then 'Ac' else 'BB' end, '') as name"
                + " from generate_series(0, 511) n, generate_series(0, 8) bit group by n) names");
        assertThat(runOnce(DATABASE.dataSource(), publisher, quick()).published())
                .isEqualTo(1);
        assertThat(publisher.sent().get(0).headers()).hasSize(512);
    }

    @Test
    void attemptsThatCannotBeCountedAnyFurtherDoNotKeepARowAlive() throws Exception {
        DATABASE.insertEvents(1, 1);
        DATABASE.execute("update outbox_events set attempts = 2147483647");
        publisher.answer(event -> PublishOutcome.refused("no such queue"));
        assertThat(runOnce(DATABASE.dataSource(), publisher, quick()).dead()).isEqualTo(1);
    }

    @Test
    void batchLocksAQuarterOfTheSlotsAtMost() throws Exception {
        DATABASE.insertEvents(1000, 1000);
        AtomicInteger locks = new AtomicInteger();
        publisher.answer(event -> {
            locks.set(Integer.parseInt(DATABASE.value("select count(*) from pg_locks where locktype = 'advisory'"
                    + " and database = (select oid from pg_database where datname = current_database())")));
            return PublishOutcome.confirmed();
        });

        runOnce(DATABASE.dataSource(), publisher, quick().batchSize(1));

        assertThat(locks).hasValue(16);
    }

    @Test
    void unreachableOrBlockedBrokerIsAnExceptionAndTakesNothing() {
        DATABASE.insertEvents(1, 1);
        publisher.setBlocked(true);
        assertThatThrownBy(
                        () -> runOnce(DATABASE.dataSource(), publisher, quick().confirmTimeout(Duration.ofMillis(20))))
                .isInstanceOf(PublisherUnavailableException.class)
                .hasMessage("the broker blocks its publishers");
        publisher.setAvailable(false);
        assertThatThrownBy(() -> runOnce(DATABASE.dataSource(), publisher, quick()))
                .isInstanceOf(PublisherUnavailableException.class);

        assertThat(publisher.sent()).isEmpty();
        assertThat(publisher.openSessions()).isZero();
    }
}
