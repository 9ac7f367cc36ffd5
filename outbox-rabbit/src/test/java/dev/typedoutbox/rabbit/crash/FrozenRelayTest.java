package dev.typedoutbox.rabbit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.typedoutbox.rabbit.crash.Hold.Step;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import dev.typedoutbox.servers.PostgresServer;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A process that does not move (SIGSTOP) for longer than its session may idle, and then goes on as if nothing had been. */
class FrozenRelayTest {
    private static final Duration RECOVERY = Duration.ofSeconds(15);
    private static final Duration CONFIRM_TIMEOUT = Duration.ofSeconds(1);
    /** Three confirm time-outs, and something for a slow machine. */
    private static final Duration SESSION_ENDS = Duration.ofSeconds(5);

    private static final RelayConfig OTHER =
            RelayConfig.builder().batchSize(100).build();

    @Test
    void relayFrozenBeforeItPublishesReordersNothingWhenItPublishesLate() throws Exception {
        freezeAt(Step.AFTER_FETCH);
    }

    @Test
    void relayFrozenAfterTheConfirmMarksNothingWhenItGoesOn() throws Exception {
        freezeAt(Step.AFTER_CONFIRM);
    }

    private static void freezeAt(Step step) throws Exception {
        try (FaultRun run = new FaultRun("relay frozen " + step.words(), PostgresServer.shared(), Broker.shared())) {
            RelayProcess frozen = run.process(CONFIRM_TIMEOUT, step);
            run.receive();
            run.write();
            frozen.awaitStep(step);
            run.inject(frozen::freeze, frozen::thaw);
            assertThat(run.lockedSlots()).isPositive();
            await().atMost(SESSION_ENDS).until(() -> run.openTransactions() == 0 && run.lockedSlots() == 0);

            Relay other = run.relay(OTHER);
            Set<UUID> committed = run.accounts().committed();
            await().atMost(RECOVERY).until(() -> run.ledger().lost(committed).isEmpty());
            run.database()
                    .execute("create table marks as select id, processed_at from outbox_events"
                            + " where processed_at is not null");
            // The frozen relay alone is left to go on.
            other.close();
            frozen.release();
            run.heal();
            Verdict verdict = run.end(RECOVERY);

            assertThat(verdict.duplicates()).isPositive();
            assertThat(run.database().count("marks")).isGreaterThanOrEqualTo(committed.size());
            assertThat(run.database()
                            .count("marks join outbox_events e using (id)"
                                    + " where e.processed_at is distinct from marks.processed_at"))
                    .isZero();
        }
    }
}
