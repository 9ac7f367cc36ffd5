package dev.typedoutbox.relay;

import static dev.typedoutbox.relay.RelayFixture.eventually;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static dev.typedoutbox.relay.RelayFixture.runOnce;
import static org.assertj.core.api.Assertions.assertThat;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.store.OutboxStore;
import dev.typedoutbox.store.Slots;
import dev.typedoutbox.support.LogRecorder;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that are to be given up unread, where the application's triggers and constraints do not let that be recorded. */
@NullUnmarked
class GivenUpUnreadTest {
    private static final String NEVER = "the database refuses every change of this row: its attempts cannot be counted";

    private final OutboxDatabase database = OutboxDatabase.create();
    private final InMemoryPublisher publisher = new InMemoryPublisher();
    private final LogRecorder log = new LogRecorder();

    @AfterEach
    void stopRecording() {
        log.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "create function keep() returns trigger language plpgsql as $$ begin return null; end $$;"
                        + " create trigger keep before update on outbox_events for each row"
                        + " when (new.aggregate_id = 'kept') execute function keep()",
                "create function keep() returns trigger language plpgsql as $$ begin raise 'not this one'; end $$;"
                        + " create trigger keep before update on outbox_events for each row"
                        + " when (new.aggregate_id = 'kept') execute function keep()",
                "alter table outbox_events add constraint \"not this one\""
                        + " check (aggregate_id <> 'kept' or attempts = 0)"
            })
    void rowThatTakesNoChangeStopsNoOtherAndIsNotSaidToBeDead(String rule) throws Exception {
        database.execute(rule);
        UUID kept = insert("kept", 1000);
        insert("kept", 10);
        insert("giant", 1000);
        insert("small", 10);

        BatchResult result = runOnce(database.dataSource(), publisher, quick().maxPayloadBytes(500));

        assertThat(result).isEqualTo(new BatchResult(3, 1, 1, 1, 1));
        assertThat(publisher.sent()).extracting(OutboxEvent::aggregateId).containsExactly("small");
        assertThat(database.column("select aggregate_id from outbox_dead_letters"))
                .containsExactly("giant");
        assertThat(log.fieldsOf("event became a dead letter unsent"))
                .singleElement()
                .satisfies(fields -> assertThat(fields).containsEntry("aggregate_id", "giant"));
        assertThat(log.fieldsOf(NEVER))
                .singleElement()
                .satisfies(fields -> assertThat(fields).containsEntry("event_id", kept));
    }

    @Test
    void relayWithSuchARowSaysThatItIsTheDatabaseAndGoesOnWithTheOthers() {
        database.execute("alter table outbox_events add constraint \"not this one\""
                + " check (aggregate_id <> 'kept' or attempts = 0)");
        insert("kept", 1000);
        List<String> told = new CopyOnWriteArrayList<>();
        try (Relay relay = Relay.create(
                database.dataSource(),
                publisher,
                quick().workers(1).maxPayloadBytes(500).build())) {
            relay.onStateChange((state, reason) -> told.add(state + " " + reason));
            relay.start();
            eventually(() -> log.fieldsOf(NEVER).size() == 2);
            insert("small", 10);
            RelayFixture.awaitPending(database, 1);
        }
        assertThat(told)
                .containsExactly(
                        "STARTING ", "WAITING_FOR_DATABASE the database refuses every change of 1 rows", "STOPPED ");
    }

    @Test
    void nothingIsWrittenWhileOthersHoldAllThatIsToBeGivenUp() throws Exception {
        insert("giant", 1000);
        try (Connection foreign = database.dataSource().getConnection();
                Statement statement = foreign.createStatement()) {
            foreign.setAutoCommit(false);
            statement.execute("select 1 from outbox_events for update");

            database.dsl().transaction(tx -> {
                RelayConfig config = quick().maxPayloadBytes(500).build();
                OutboxStore store = Queries.of(config).store();
                Fetch fetch = new Fetch(store, config, tx.dsl(), new RelayLog());
                assertThat(fetch.events(Slots.all())).isEmpty();
                assertThat(fetch.foundHeldRows()).isTrue();
                assertThat(fetch.hasWritten()).isFalse();
            });
        }
    }

    private UUID insert(String aggregateId, int length) {
        UUID id = UUID.randomUUID();
        database.execute("insert into outbox_events (id, aggregate_type, aggregate_id, event_type, payload)"
                + " values ('" + id + "', 'order', '" + aggregateId + "', 'order.created', to_jsonb(repeat('x', "
                + length + ")))");
        return id;
    }
}
