package dev.typedoutbox.cluster;

import static dev.typedoutbox.relay.RelayFixture.awaitPending;
import static dev.typedoutbox.relay.RelayFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.consumer.IdempotentConsumer;
import dev.typedoutbox.metrics.ConsumerMetrics;
import dev.typedoutbox.metrics.RelayMetrics;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import dev.typedoutbox.support.LogRecorder;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A day as it should be, in a few seconds: bursts and rests, relays that come and go, redeliveries. */
@Timeout(120)
class NormalLoadTest {
    private static final int BURSTS = 12;
    private static final int EVENTS_IN_A_BURST = 2_000;

    private final OutboxDatabase database = OutboxDatabase.create();
    private final InMemoryPublisher publisher = new InMemoryPublisher();
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final AtomicInteger listenersInATransaction = new AtomicInteger();

    @Test
    void nothingOfADayOfNormalLoadIsWorthAWarningAndListenersAreInNoTransaction() {
        try (LogRecorder log = new LogRecorder();
                HikariDataSource pool = database.pool(true)) {
            RelayConfig config = RelayConfig.builder()
                    .listenOn(database.dataSource())
                    .observer(RelayMetrics.of(registry, pool))
                    .build();
            try (Relay first = Relay.create(pool, publisher, config);
                    Relay second = Relay.create(pool, publisher, config)) {
                first.start();
                for (int burst = 0; burst < BURSTS; burst++) {
                    second.start();
                    database.insertEvents(EVENTS_IN_A_BURST, 100);
                    lookForListenersInATransaction(Duration.ofMillis(300));
                    second.close();
                }
                awaitPending(database, 0);
                eventually(() -> publisher.sent().size() == BURSTS * EVENTS_IN_A_BURST);
            }
            deliverTwice(pool);
            assertThat(log.lines()).isEmpty();
        }
        assertThat(listenersInATransaction).hasValue(0);
        assertThat(registry.get("outbox.events.published").counter().count()).isEqualTo(BURSTS * EVENTS_IN_A_BURST);
    }

    private void lookForListenersInATransaction(Duration time) {
        await().pollInterval(Duration.ofMillis(5)).during(time).until(() -> {
            listenersInATransaction.addAndGet(
                    Integer.parseInt(database.value("select count(*) from pg_stat_activity where application_name"
                            + " like 'typed-outbox-relay%' and datname = current_database() and xact_start is not null"
                            + " and state = 'idle in transaction'")));
            return true;
        });
    }

    private void deliverTwice(HikariDataSource pool) {
        ConsumerMetrics metrics = ConsumerMetrics.of(registry, "shipping");
        var consumer = metrics.observe(IdempotentConsumer.create(pool, "shipping", (tx, event) -> {}));
        consumer.applyAll(publisher.sent().subList(0, 500));
        consumer.applyAll(publisher.sent().subList(0, 500));
        assertThat(registry.get("outbox.consumer.duplicates").counter().count()).isEqualTo(500);
    }
}
