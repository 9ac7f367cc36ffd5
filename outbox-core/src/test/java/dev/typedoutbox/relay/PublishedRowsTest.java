package dev.typedoutbox.relay;

import static dev.typedoutbox.relay.RelayFixture.drain;
import static dev.typedoutbox.relay.RelayFixture.eventually;
import static dev.typedoutbox.relay.RelayFixture.placesByAggregate;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static dev.typedoutbox.relay.RelayFixture.refusing;
import static dev.typedoutbox.relay.RelayFixture.runOnce;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.deadletter.DeadLetters;
import dev.typedoutbox.store.DatabaseSession;
import dev.typedoutbox.store.LowestFloor;
import dev.typedoutbox.support.LogRecorder;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A relay that deletes what was published keeps the same promises as one that marks it. */
class PublishedRowsTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();

    private final InMemoryPublisher publisher = new InMemoryPublisher();

    @BeforeEach
    void empty() {
        DATABASE.empty();
    }

    @ParameterizedTest
    @EnumSource
    void eventsOfEachAggregateLeaveOnceAndInOrder(PublishedRows rows) {
        DATABASE.insertEvents(1000, 30);

        drain(DATABASE, publisher, quick().batchSize(70).publishedRows(rows));

        assertThat(publisher.sent()).extracting(OutboxEvent::id).hasSize(1000).doesNotHaveDuplicates();
        assertThat(placesByAggregate(publisher.sent()).values())
                .hasSize(30)
                .allSatisfy(places -> assertThat(places).isSorted());
        assertThat(DATABASE.count("processed_at is not null")).isEqualTo(rows == PublishedRows.KEEP ? 1000 : 0);
        assertThat(DATABASE.count("true")).isEqualTo(rows == PublishedRows.KEEP ? 1000 : 0);
    }

    @ParameterizedTest
    @EnumSource
    void onlyWhatTheBrokerConfirmedIsSettled(PublishedRows rows) throws Exception {
        DATABASE.insertEvents(4, 4);
        publisher.answer(event -> switch (event.aggregateId()) {
            case "1" -> PublishOutcome.refused("no such queue");
            case "2" -> PublishOutcome.unknown("connection lost");
            default -> PublishOutcome.confirmed();
        });

        assertThat(runOnce(DATABASE.dataSource(), publisher, quick().publishedRows(rows)))
                .isEqualTo(new BatchResult(4, 2, 1, 0, 1));

        assertThat(DATABASE.column("select aggregate_id || ' ' || attempts from outbox_events"
                        + " where processed_at is null order by seq"))
                .containsExactly("1 1", "2 0");
    }

    @ParameterizedTest
    @EnumSource
    void deadLetterStaysAndIsSentWhenItIsRetried(PublishedRows rows) throws Exception {
        UUID id = DATABASE.publish("bad", "order.created");
        publisher.answer(refusing("bad"));
        RelayConfigBuilder config =
                quick().retryPolicy(RelayFixture.QUICK_RETRY).publishedRows(rows);
        drain(DATABASE, publisher, config);
        publisher.answer(event -> PublishOutcome.confirmed());

        assertThat(DeadLetters.of(DATABASE.dataSource()).retry(id)).isTrue();

        assertThat(runOnce(DATABASE.dataSource(), publisher, config).published())
                .isEqualTo(1);
        assertThat(DATABASE.count("processed_at is null")).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void settlementThatIsLostIsADuplicateAndNotALoss(PublishedRows rows) throws Exception {
        UUID id = DATABASE.publish("1", "order.created");
        publisher.answer(event -> {
            DATABASE.execute("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'"
                    + " and classid = 'outbox_events'::regclass and objid < 64"
                    + " and database = (select oid from pg_database where datname = current_database())");
            return PublishOutcome.confirmed();
        });
        assertThatThrownBy(() -> runOnce(DATABASE.dataSource(), publisher, quick().publishedRows(rows)))
                .isInstanceOf(DataAccessException.class);
        assertThat(DATABASE.count("processed_at is null")).isEqualTo(1);
        publisher.answer(event -> PublishOutcome.confirmed());

        runOnce(DATABASE.dataSource(), publisher, quick().publishedRows(rows));

        assertThat(publisher.sent()).extracting(OutboxEvent::id).containsExactly(id, id);
        assertThat(DATABASE.count("processed_at is null")).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void floorPassesWhatIsSettled(PublishedRows rows) {
        RelayConfig config = quick().batchSize(7).publishedRows(rows).build();
        Floor floor = new Floor(config);
        DATABASE.insertEvents(100, 30);
        try (HikariDataSource pool = DATABASE.pool(true)) {
            pool.setMaximumPoolSize(1);
            BatchRunner batches = new BatchRunner(pool, config, Queries.of(config), floor, new Observers(List.of()));
            eventually(() -> {
                batches.run(publisher.open());
                return LowestFloor.of(DATABASE.dsl(), floor.in(session(pool, config))) == 101;
            });
        }
        assertThat(publisher.sent()).hasSize(100);
    }

    private static DatabaseSession session(HikariDataSource pool, RelayConfig config) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return new RelayTransaction(Queries.of(config)).run(connection, (tx, session) -> session);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"raise 'not this one'", "return null"})
    void rowThatCannotBeDeletedCostsOnlyItselfItsAttempts(String refusal) {
        OutboxDatabase guarded = OutboxDatabase.create();
        guarded.execute("create function refuse() returns trigger language plpgsql as $$ begin"
                + " if old.aggregate_id = '3' then " + refusal + "; end if; return old; end $$");
        guarded.execute("create trigger refuse before delete on outbox_events for each row execute function refuse()");
        guarded.insertEvents(10, 10);

        drain(
                guarded,
                publisher,
                quick().workers(1).retryPolicy(RelayFixture.QUICK_RETRY).publishedRows(PublishedRows.DELETE));

        assertThat(publisher.sent()).hasSize(9 + RelayFixture.QUICK_RETRY.maxAttempts());
        assertThat(DeadLetters.of(guarded.dataSource()).list(10))
                .singleElement()
                .satisfies(letter -> {
                    assertThat(letter.aggregateId()).isEqualTo("3");
                    assertThat(letter.lastError()).startsWith("it was published, but could not be deleted: ");
                });
        assertThat(guarded.count("true")).isEqualTo(1);
    }

    @Test
    void relayTellsAtItsStartOfRowsThatNobodySeemsToDelete() {
        DATABASE.insertEvents(2, 2);
        assertThat(linesOfAStart()).noneMatch(line -> line.contains("run a Cleanup"));
        DATABASE.execute("update outbox_events set processed_at = now() - interval '29 days'");
        assertThat(linesOfAStart()).noneMatch(line -> line.contains("run a Cleanup"));
        DATABASE.execute("update outbox_events set processed_at = now() - interval '31 days' where seq = 1");

        assertThat(linesOfAStart())
                .filteredOn(line -> line.contains("run a Cleanup"))
                .singleElement()
                .asString()
                .contains("more than 30 days ago");
    }

    private List<String> linesOfAStart() {
        try (LogRecorder log = new LogRecorder(Level.INFO);
                Relay relay = Relay.create(DATABASE.dataSource(), publisher)) {
            relay.start();
            return log.lines();
        }
    }

    @Test
    void rowsAreKeptUnlessToldOtherwise() {
        assertThat(RelayConfig.defaults().publishedRows()).isEqualTo(PublishedRows.KEEP);
        assertThat(RelayConfig.builder()
                        .publishedRows(PublishedRows.DELETE)
                        .build()
                        .publishedRows())
                .isEqualTo(PublishedRows.DELETE);
    }
}
