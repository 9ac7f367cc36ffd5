package dev.typedoutbox.rabbit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.typedoutbox.deadletter.DeadLetter;
import dev.typedoutbox.deadletter.DeadLetters;
import dev.typedoutbox.rabbit.crash.Hold.Step;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.rabbit.support.OutboxDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** An event that ends the process which sends it, so that nobody is left to count the attempt. */
class DeadlyEventTest {
    private static final Duration START = Duration.ofSeconds(30);
    private static final Duration CONFIRM_TIMEOUT = Duration.ofSeconds(10);

    private final Broker broker = Broker.shared();
    private final String exchange = broker.exchange();
    private final String queue = broker.queue(exchange, "#");

    @Test
    void eventThatEndsTheProcessCountsNoAttemptAndLosesNothingUntilItIsMarkedDeadByHand() {
        try (OutboxDatabase database = OutboxDatabase.create()) {
            List<UUID> others = new ArrayList<>(database.write(50, 25, "order.changed"));
            UUID deadly = database.write(1, 1, RelayMain.DEADLY).get(0);
            others.addAll(database.write(50, 25, "order.changed"));
            for (int start = 1; start <= 3; start++) {
                try (RelayProcess relay = process(database)) {
                    await().atMost(START).until(() -> !relay.isAlive());
                }
            }
            assertThat(database.failedAttempts()).isZero();
            assertThat(database.ids("outbox_events where processed_at is null")).contains(deadly);

            database.execute("update outbox_events set dead_at = clock_timestamp() where id = '" + deadly + "'");
            try (RelayProcess relay = process(database)) {
                await().atMost(START).until(() -> database.pending() == 0);
                assertThat(relay.isAlive()).isTrue();
            }
            assertThat(broker.takeIds(queue))
                    .containsAll(others.stream().map(UUID::toString).toList())
                    .doesNotContain(deadly.toString());
            assertThat(DeadLetters.of(database.dataSource()).list(10))
                    .extracting(DeadLetter::id)
                    .containsExactly(deadly);
        }
    }

    private RelayProcess process(OutboxDatabase database) {
        return new RelayProcess(
                database.database(), broker.server().uri().toString(), exchange, CONFIRM_TIMEOUT, Step.NOWHERE);
    }
}
