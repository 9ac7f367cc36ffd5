package dev.typedoutbox.rabbit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.GetResponse;
import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.deadletter.DeadLetter;
import dev.typedoutbox.deadletter.DeadLetters;
import dev.typedoutbox.rabbit.RabbitPublisher;
import dev.typedoutbox.rabbit.Routing;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.rabbit.support.OutboxDatabase;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import dev.typedoutbox.relay.RetryPolicy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RelayOnRabbitTest {
    private final Broker broker = Broker.shared();
    private final String exchange = broker.exchange();
    private final String queue = broker.queue(exchange, "order.#");
    private final OutboxDatabase database = OutboxDatabase.create();
    private final RabbitPublisher publisher = RabbitPublisher.create(broker.factory(), Routing.toExchange(exchange));
    private final Outbox outbox = Outbox.create();

    @AfterEach
    void close() {
        publisher.close();
        database.close();
    }

    @Test
    void committedEventArrivesWithItsIdAsTheMessageId() {
        UUID id = database.inTransaction(
                tx -> outbox.publish(tx, NewEvent.of("order", "1", "order.created", Map.of("total", "10.00"))));
        try (Relay relay = relay(RelayConfig.defaults())) {
            relay.start();
            await().until(() -> database.pending() == 0);
        }
        GetResponse message = broker.take(queue).get(0);
        assertThat(message.getProps().getMessageId()).isEqualTo(id.toString());
        assertThat(new String(message.getBody(), StandardCharsets.UTF_8)).isEqualTo("{\"total\": \"10.00\"}");
    }

    @Test
    void rolledBackEventIsNeverPublished() throws InterruptedException {
        assertThatThrownBy(() -> database.inTransaction(tx -> {
                    outbox.publish(tx, NewEvent.of("order", "1", "order.created", Map.of()));
                    throw new IllegalStateException("the business says no");
                }))
                .hasMessage("the business says no");
        UUID kept = database.inTransaction(tx -> outbox.publish(tx, NewEvent.of("order", "2", "order.created", "")));
        try (Relay relay = relay(RelayConfig.defaults())) {
            assertThat(relay.runOnce().published()).isEqualTo(1);
            assertThat(relay.runOnce().fetched()).isZero();
        }
        assertThat(broker.takeIds(queue)).containsExactly(kept.toString());
    }

    @Test
    void rowInsertedByPlainSqlIsPublished() throws InterruptedException {
        database.execute("insert into outbox_events (aggregate_type, aggregate_id, event_type, payload)"
                + " values ('order', '7', 'order.created', '{\"by\": \"sql\"}')");
        try (Relay relay = relay(RelayConfig.defaults())) {
            assertThat(relay.runOnce().published()).isEqualTo(1);
        }
        assertThat(broker.take(queue))
                .singleElement()
                .satisfies(message -> assertThat(new String(message.getBody(), StandardCharsets.UTF_8))
                        .isEqualTo("{\"by\": \"sql\"}"));
    }

    @Test
    void relayThatIsStartedAgainPublishesTheRestOnce() {
        List<UUID> before = database.write(2_000, 50, "order.created");
        RelayConfig config = RelayConfig.builder().batchSize(50).build();
        try (Relay relay = relay(config)) {
            relay.start();
            await().until(() -> database.pending() < 1_800);
        }
        long left = database.pending();
        List<UUID> after = database.write(100, 50, "order.paid");
        try (Relay relay = relay(config)) {
            relay.start();
            await().until(() -> database.pending() == 0);
        }
        assertThat(left).isPositive();
        assertThat(broker.takeIds(queue))
                .hasSize(2_100)
                .containsAll(before.stream().map(UUID::toString).toList())
                .containsAll(after.stream().map(UUID::toString).toList());
    }

    @Test
    void eventThatNoQueueTakesBecomesADeadLetterAndCanBeRetried() throws InterruptedException {
        UUID id = database.inTransaction(tx -> outbox.publish(tx, NewEvent.of("order", "1", "invoice.sent", "")));
        UUID healthy = database.inTransaction(tx -> outbox.publish(tx, NewEvent.of("order", "2", "order.paid", "")));
        RelayConfig config = RelayConfig.builder()
                .retryPolicy(new RetryPolicy(1, Duration.ofMillis(1), Duration.ofMillis(1)))
                .build();
        DeadLetters deadLetters = DeadLetters.of(database.dataSource());
        try (Relay relay = relay(config)) {
            assertThat(relay.runOnce().dead()).isEqualTo(1);
            assertThat(broker.takeIds(queue)).containsExactly(healthy.toString());

            List<DeadLetter> list = deadLetters.list(10);
            assertThat(list).singleElement().satisfies(letter -> {
                assertThat(letter.id()).isEqualTo(id);
                assertThat(letter.attempts()).isEqualTo(1);
                assertThat(letter.lastError()).contains("NO_ROUTE").contains("invoice.sent");
            });

            broker.run(channel -> channel.queueBind(queue, exchange, "invoice.*"));
            assertThat(deadLetters.retry(id)).isTrue();
            assertThat(relay.runOnce().published()).isEqualTo(1);
        }
        assertThat(broker.takeIds(queue)).containsExactly(id.toString());
        assertThat(deadLetters.count()).isZero();
    }

    @Test
    void jooqTransactionIsEnoughToPublish() throws InterruptedException {
        DSL.using(database.dataSource(), org.jooq.SQLDialect.POSTGRES)
                .transaction(tx -> outbox.publish(tx, NewEvent.of("order", "1", "order.created", Map.of())));
        try (Relay relay = relay(RelayConfig.defaults())) {
            assertThat(relay.runOnce().published()).isEqualTo(1);
        }
    }

    private Relay relay(RelayConfig config) {
        return Relay.create(database.dataSource(), publisher, config);
    }
}
