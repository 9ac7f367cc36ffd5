package dev.typedoutbox.rabbit.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.typedoutbox.rabbit.crash.Hold.Step;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import dev.typedoutbox.servers.PostgresServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Relays need no list of each other: who holds the lock of a slot has it, and nobody has it after that. */
class RelaysComeAndGoTest {
    private static final Duration RECOVERY = Duration.ofSeconds(20);
    private static final RelayConfig CONFIG =
            RelayConfig.builder().batchSize(RelayProcess.BATCH_SIZE).build();

    @Test
    void oneOfThreeRelaysDiesOneLeavesAndOneComesAndOnlyWhatTheDeadOneHadComesAgain() throws Exception {
        try (FaultRun run = new FaultRun("relays come and go", PostgresServer.shared(), Broker.shared())) {
            run.load(3_000);
            RelayProcess dies = run.process(Duration.ofMinutes(1), Step.AFTER_CONFIRM);
            dies.awaitStep(Step.AFTER_CONFIRM);
            Relay leaves = run.relay(CONFIG);
            run.relay(CONFIG);
            run.flow();
            run.inject(dies::kill, () -> {});
            run.awaitMore(RECOVERY);
            leaves.close();
            run.relay(CONFIG);
            run.awaitMore(RECOVERY);
            run.heal();
            assertThat(run.end(RECOVERY).duplicates()).isBetween(1, RelayProcess.BATCH_SIZE);
        }
    }
}
