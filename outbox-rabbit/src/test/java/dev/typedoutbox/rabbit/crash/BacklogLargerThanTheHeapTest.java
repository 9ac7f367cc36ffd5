package dev.typedoutbox.rabbit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.typedoutbox.rabbit.crash.Hold.Step;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.rabbit.support.OutboxDatabase;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What waits is more than what fits into the memory of the relay's process, which is 128 MiB. */
class BacklogLargerThanTheHeapTest {
    private static final Duration BOUND = Duration.ofMinutes(1);

    private final Broker broker = Broker.shared();
    private final String exchange = broker.exchange();

    @Test
    void manyPayloadsOfTenKibibytesDoNotFillTheMemory() {
        relayPublishes(20_000, 10 * 1024, 1_000);
    }

    /** A batch of as many rows as it may hold would do for an end. */
    @Test
    void payloadsOfFourMebibytesDoNotFillTheMemory() {
        relayPublishes(50, 4 * 1024 * 1024, 20);
    }

    private void relayPublishes(int rows, int bytes, int enough) {
        // What is confirmed is of no more interest, and the broker's memory is none of it.
        broker.queue(exchange, "#", Map.of("x-max-length", 2));
        try (OutboxDatabase database = OutboxDatabase.create()) {
            database.execute("insert into outbox_events (aggregate_type, aggregate_id, event_type, payload)"
                    + " select 'order', n % 500, 'order.changed', to_jsonb(repeat('x', " + bytes + "))"
                    + " from generate_series(1, " + rows + ") n");
            try (RelayProcess relay = new RelayProcess(
                    database.database(),
                    broker.server().uri().toString(),
                    exchange,
                    Duration.ofSeconds(20),
                    Step.NOWHERE)) {
                await().atMost(BOUND)
                        .until(() -> !relay.isAlive()
                                || database.count("outbox_events where processed_at is not null") >= enough);
                assertThat(relay.isAlive()).isTrue();
            }
        }
    }
}
