package dev.typedoutbox.recipes.publisher;

import static dev.typedoutbox.testkit.outbox.OutboxAssertions.assertThatEvents;
import static dev.typedoutbox.testkit.outbox.OutboxAssertions.assertThatOutbox;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.recipes.publisher.Receiver.Answer;
import dev.typedoutbox.relay.BatchResult;
import dev.typedoutbox.relay.PublisherUnavailableException;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import dev.typedoutbox.testkit.junit.OutboxDatabaseExtension;
import dev.typedoutbox.testkit.outbox.SteppableRelay;
import dev.typedoutbox.testkit.outbox.StoredEvent;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** From the outbox in PostgreSQL to the receiver. */
class WebhookRelayTest {
    @RegisterExtension
    static final OutboxDatabaseExtension DATABASE =
            OutboxDatabaseExtension.builder().build();

    private final DataSource pool = DATABASE.dataSource();
    private final Receiver receiver = new Receiver();
    private final URI address = receiver.uri();

    @AfterEach
    void close() {
        receiver.close();
    }

    @Test
    void eventsOfAnOrderArriveInOrderAndOnce() throws SQLException {
        for (String type : List.of("order.placed", "order.paid", "order.sent")) {
            for (int order = 0; order < 50; order++) {
                publish(order, type);
            }
        }

        BatchResult result = step();

        assertThat(result.published()).isEqualTo(150);
        for (int order = 0; order < 50; order++) {
            assertThatEvents(arrivedOf(order)).hasExactlyTypes("order.placed", "order.paid", "order.sent");
        }
    }

    @Test
    void outageOfTheReceiverCostsNoAttempts() throws SQLException {
        publish(1, "order.placed");
        publish(1, "order.paid");
        receiver.answer(503);

        assertThat(step().unknown()).isEqualTo(1);

        assertThat(DATABASE.outbox().events()).allMatch(row -> row.attempts() == 0 && row.lastError() == null);
        receiver.answer(204);
        step();
        assertThatEvents(receiver.taken()).hasExactlyTypes("order.placed", "order.paid");
        assertThatOutbox(pool).pending().isEmpty();
    }

    @Test
    void refusedEventCountsAnAttemptAndHoldsBackItsOrderAlone() throws SQLException {
        publish(1, "order.placed");
        publish(1, "order.paid");
        publish(2, "order.placed");
        receiver.answer(
                event -> event.aggregateId().equals("1") ? new Answer(400, "no such customer") : Answer.of(204));

        assertThat(step().refused()).isEqualTo(1);

        StoredEvent refused = DATABASE.outbox().events().get(0);
        assertThat(refused.attempts()).isEqualTo(1);
        assertThat(refused.lastError()).isEqualTo("HTTP 400 no such customer");
        assertThat(arrivedOf(1)).isEmpty();
        assertThatEvents(arrivedOf(2)).hasExactlyTypes("order.placed");
    }

    @Test
    void receiverThatIsNotThereIsWaitedFor() throws SQLException {
        publish(1, "order.placed");
        receiver.close();
        assertThatThrownBy(this::step).isInstanceOf(PublisherUnavailableException.class);
        assertThatOutbox(pool).pending().hasSize(1);
    }

    @Test
    void relayGoesOnAfterAnOutageByItself() throws SQLException {
        AtomicInteger outage = new AtomicInteger(3);
        receiver.answer(event -> switch (Math.max(outage.getAndDecrement(), 0)) {
            case 3 -> Receiver.HANG_UP;
            case 2, 1 -> Answer.of(503);
            default -> Answer.of(204);
        });
        publish(1, "order.placed");
        publish(1, "order.paid");

        WebhookPublisher publisher = new WebhookPublisher(address);
        RelayConfig config = RelayConfig.builder()
                .batchSize(100)
                .confirmTimeout(Duration.ofSeconds(20))
                .build();
        Relay relay = Relay.create(pool, publisher, config);
        relay.start();

        try {
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThatOutbox(pool).processed().hasSize(2));
        } finally {
            relay.close();
            publisher.close();
        }
        assertThatEvents(receiver.taken()).hasExactlyTypes("order.placed", "order.paid");
        assertThat(DATABASE.outbox().events()).allMatch(row -> row.attempts() == 0);
    }

    private BatchResult step() {
        try (WebhookPublisher publisher = new WebhookPublisher(address)) {
            return SteppableRelay.create(pool, publisher).publishDue();
        }
    }

    private void publish(int order, String type) throws SQLException {
        try (Connection tx = pool.getConnection()) {
            tx.setAutoCommit(false);
            Outbox.create().publish(tx, NewEvent.of("order", String.valueOf(order), type, Map.of("total", 19.90)));
            tx.commit();
        }
    }

    private List<OutboxEvent> arrivedOf(int order) {
        return receiver.taken().stream()
                .filter(event -> event.aggregateId().equals(String.valueOf(order)))
                .toList();
    }
}
