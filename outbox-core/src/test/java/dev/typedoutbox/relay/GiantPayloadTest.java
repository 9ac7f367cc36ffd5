package dev.typedoutbox.relay;

import static dev.typedoutbox.relay.RelayFixture.drain;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static org.assertj.core.api.Assertions.assertThat;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.deadletter.DeadLetters;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.sql.Connection;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** Payloads that another program wrote and that no relay's memory is promised for. */
class GiantPayloadTest {
    private final OutboxDatabase database = OutboxDatabase.create();
    private final InMemoryPublisher publisher = new InMemoryPublisher();

    @Test
    void giantIsGivenUpUnreadAndDoesNotStopTheOthers() {
        insert("giant", 100_000);
        insert("giant", 10);
        insert("small", 10);
        drain(database, publisher, quick().maxPayloadBytes(50_000));

        assertThat(publisher.sent()).extracting(OutboxEvent::payloadSize).containsOnly(12);
        assertThat(publisher.sent()).extracting(OutboxEvent::aggregateId).containsExactlyInAnyOrder("giant", "small");
        assertThat(DeadLetters.of(database.dataSource()).list(10))
                .singleElement()
                .satisfies(letter -> assertThat(letter.lastError())
                        .isEqualTo("payload and headers must be at most 50000 bytes (was 100002):"
                                + " raise maxPayloadBytes and retry it"));
    }

    @Test
    void headersCountTooAndTheResultTellsOfIt() throws Exception {
        database.execute("insert into outbox_events (aggregate_type, aggregate_id, event_type, payload, headers)"
                + " values ('order', '1', 'order.created', '1', jsonb_build_object('h', repeat('x', 100000)))");
        assertThat(RelayFixture.runOnce(database.dataSource(), publisher, quick().maxPayloadBytes(50_000)))
                .isEqualTo(new BatchResult(1, 0, 1, 1, 0));
        assertThat(publisher.sent()).isEmpty();
    }

    @Test
    void giantThatAnotherSessionHasLockedKeepsNobodyWaiting() throws Exception {
        insert("giant", 100_000);
        insert("small", 10);
        try (Connection foreign = database.dataSource().getConnection();
                Statement statement = foreign.createStatement()) {
            foreign.setAutoCommit(false);
            statement.execute("select 1 from outbox_events where aggregate_id = 'giant' for update");

            assertThat(RelayFixture.runOnce(database.dataSource(), publisher, quick().maxPayloadBytes(50_000)))
                    .isEqualTo(new BatchResult(1, 1, 0, 0, 0));
        }
        drain(database, publisher, quick().maxPayloadBytes(50_000));
        assertThat(DeadLetters.of(database.dataSource()).count()).isEqualTo(1);
    }

    @Test
    void giantIsSentAfterTheBoundWasRaised() {
        insert("giant", 100_000);
        drain(database, publisher, quick().maxPayloadBytes(50_000));
        assertThat(DeadLetters.of(database.dataSource()).retryAll()).isEqualTo(1);
        drain(database, publisher, quick().maxPayloadBytes(200_000));
        assertThat(publisher.sent()).extracting(OutboxEvent::payloadSize).containsExactly(100_002);
    }

    private void insert(String order, int length) {
        database.execute("insert into outbox_events (aggregate_type, aggregate_id, event_type, payload)"
                + " values ('order', '" + order + "', 'order.created', to_jsonb(repeat('x', " + length + ")))");
    }
}
