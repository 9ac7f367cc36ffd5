package dev.typedoutbox.relay;

import static dev.typedoutbox.relay.RelayFixture.eventually;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static dev.typedoutbox.relay.RelayFixture.runOnce;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.typedoutbox.store.AggregateKey;
import dev.typedoutbox.store.UnreadEvent;
import dev.typedoutbox.support.LogRecorder;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the relay logs can be found by the event or the relay that it is about. */
class RelayLogTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();
    private static final RetryPolicy TWICE = new RetryPolicy(2, Duration.ofMillis(1), Duration.ofMillis(1));

    private final InMemoryPublisher publisher = new InMemoryPublisher();
    private final LogRecorder log = new LogRecorder(Level.DEBUG);

    @BeforeEach
    void empty() {
        DATABASE.empty();
    }

    @AfterEach
    void stopRecording() {
        log.close();
    }

    @Test
    void refusedEventIsNamedAtEachAttempt() throws Exception {
        UUID id = DATABASE.publish("42", "order.paid");
        publisher.answer(event -> PublishOutcome.refused("no such queue"));

        sendTwice();

        assertThat(log.fieldsOf("event was refused and will be tried again"))
                .containsExactly(about(id, 1, "no such queue"));
        assertThat(log.fieldsOf("event became a dead letter")).containsExactly(about(id, 2, "no such queue"));
    }

    @Test
    void eventThatWasNotConfirmedIsNamed() throws Exception {
        UUID id = DATABASE.publish("42", "order.paid");
        publisher.answer(event -> PublishOutcome.unknown("connection lost"));

        runOnce(DATABASE.dataSource(), publisher, quick());

        assertThat(log.fieldsOf("event was not confirmed and will be sent again"))
                .containsExactly(about(id, 1, "connection lost"));
    }

    @Test
    void eventThatIsTooLargeToBeReadIsNamed() throws Exception {
        DATABASE.execute("insert into outbox_events (aggregate_type, aggregate_id, event_type, payload, attempts)"
                + " values ('order', '42', 'order.paid', to_jsonb(repeat('x', 1000)), 3)");
        UUID id = UUID.fromString(DATABASE.value("select id from outbox_events"));

        runOnce(DATABASE.dataSource(), publisher, quick().maxPayloadBytes(500));

        assertThat(log.fieldsOf("event became a dead letter unsent"))
                .containsExactly(
                        about(
                                id,
                                4,
                                "payload and headers must be at most 500 bytes (was 1002): raise maxPayloadBytes and retry it"));
    }

    @Test
    void eventThatCannotBeReadIsNamed() {
        UUID id = UUID.randomUUID();
        RelayLog lines = new RelayLog();
        lines.unreadable(new UnreadEvent(id, new AggregateKey("order", "42"), "order.paid", 0), "broken");
        assertThat(log.lines()).isEmpty();

        lines.write();

        assertThat(log.fieldsOf("event became a dead letter unread")).containsExactly(about(id, 1, "broken"));
    }

    @Test
    void eventWhoseRowTakesNoChangeIsNamed() throws Exception {
        UUID id = DATABASE.publish("42", "order.paid");
        DATABASE.execute("create function refuse() returns trigger language plpgsql as $$ begin"
                + " raise 'never this one'; end $$;"
                + " create trigger refuse before update on outbox_events for each row execute function refuse()");
        try {
            runOnce(DATABASE.dataSource(), publisher, quick());
        } finally {
            DATABASE.execute("drop function refuse() cascade");
        }
        assertThat(log.fieldsOf("the database refuses every change of this row: its attempts cannot be counted"))
                .singleElement()
                .satisfies(fields -> assertThat(fields)
                        .containsEntry("event_id", id)
                        .containsEntry("event_type", "order.paid")
                        .containsEntry("aggregate_id", "42")
                        .containsEntry("attempt", 1));
    }

    @Test
    void changesOfTheStateNameTheRelayFirst() {
        RelayConfig config =
                quick().name("orders-1").listenOn(DATABASE.dataSource()).build();
        try (Relay relay = Relay.create(DATABASE.dataSource(), publisher, config)) {
            relay.start();
            eventually(relay::isListening);
            eventually(() -> relay.state() == RelayState.RUNNING);
            assertThat(relay.name()).isEqualTo("orders-1");
        }
        assertThat(log.fieldsOf("relay is RUNNING")).isNotEmpty().allSatisfy(RelayLogTest::namesTheRelayFirst);
        assertThat(log.fieldsOf("relay listens for new events"))
                .isNotEmpty()
                .allSatisfy(RelayLogTest::namesTheRelayFirst);
    }

    private void sendTwice() {
        eventually(() -> {
            runOnce(DATABASE.dataSource(), publisher, quick().retryPolicy(TWICE));
            return DATABASE.count("dead_at is not null") == 1;
        });
    }

    private static void namesTheRelayFirst(Map<String, Object> fields) {
        assertThat(fields.entrySet().iterator().next()).isEqualTo(Map.entry("relay", "orders-1"));
    }

    private static Map<String, Object> about(UUID id, int attempt, String reason) {
        return Map.of(
                "event_id", id, "event_type", "order.paid", "aggregate_id", "42", "attempt", attempt, "reason", reason);
    }
}
