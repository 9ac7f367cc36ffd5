package dev.typedoutbox.rabbit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.typedoutbox.consumer.Applied;
import dev.typedoutbox.consumer.IdempotentConsumer;
import dev.typedoutbox.rabbit.RabbitConsumer;
import dev.typedoutbox.rabbit.RabbitPublisher;
import dev.typedoutbox.rabbit.Routing;
import dev.typedoutbox.rabbit.crash.Hold.Step;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.rabbit.support.Ledger;
import dev.typedoutbox.rabbit.support.OutboxDatabase;
import dev.typedoutbox.relay.Relay;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a crash publishes twice has one effect, by the product's own consumer. */
class RedeliveryTest {
    private static final int AGGREGATES = 10;
    private static final int EVENTS = 50;

    private final Broker broker = Broker.shared();
    private final String exchange = broker.exchange();
    private final String queue = broker.queue(exchange, "#");

    @Test
    void eventsOfARelayKilledBetweenConfirmAndCommitComeAgainAndAreAppliedOnce() {
        try (OutboxDatabase database = OutboxDatabase.create()) {
            List<UUID> committed = database.write(EVENTS, AGGREGATES, "order.changed");
            killAfterFirstConfirm(database);
            assertThat(database.pending()).isEqualTo(EVENTS);

            Ledger ledger = new Ledger();
            AtomicInteger duplicates = new AtomicInteger();
            IdempotentConsumer consumer = countingConsumer(database);
            try (RabbitPublisher publisher = RabbitPublisher.create(broker.factory(), Routing.toExchange(exchange));
                    Relay relay = Relay.create(database.dataSource(), publisher);
                    RabbitConsumer receiver = RabbitConsumer.builder(broker.factory(), queue, event -> {
                                ledger.add(event);
                                Applied applied = consumer.apply(event);
                                duplicates.addAndGet(applied == Applied.DUPLICATE ? 1 : 0);
                                return applied;
                            })
                            .build()) {
                relay.start();
                receiver.start();
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> database.pending() == 0 && database.count("effects") == EVENTS);
                await().until(() -> ledger.deliveries() == EVENTS + AGGREGATES);
                await().untilAsserted(() -> assertThat(duplicates).hasValue(AGGREGATES));
            }
            assertThat(ledger.lost(committed)).isEmpty();
            assertThat(ledger.orderViolations()).isZero();
            assertThat(ledger.duplicates()).isEqualTo(AGGREGATES);
            assertThat(database.failedAttempts()).isZero();
        }
    }

    private static IdempotentConsumer countingConsumer(OutboxDatabase database) {
        database.execute("create table effects (event_id uuid)");
        return IdempotentConsumer.create(
                database.dataSource(), "test", (tx, event) -> tx.execute("insert into effects values (?)", event.id()));
    }

    /** The first wave holds one event of each aggregate. */
    private void killAfterFirstConfirm(OutboxDatabase database) {
        String amqpUri = broker.server().uri().toString();
        try (RelayProcess relay =
                new RelayProcess(database.database(), amqpUri, exchange, Duration.ofSeconds(10), Step.AFTER_CONFIRM)) {
            relay.awaitStep(Step.AFTER_CONFIRM);
        }
        await().until(() -> database.count("pg_locks where locktype = 'advisory'") == 0);
    }
}
