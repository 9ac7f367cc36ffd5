package dev.typedoutbox.rabbit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.typedoutbox.rabbit.crash.Hold.Step;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.relay.RelayConfig;
import dev.typedoutbox.servers.PostgresServer;
import dev.typedoutbox.servers.TcpProxy;
import dev.typedoutbox.servers.TcpProxy.Direction;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Processes that end with SIGKILL; another relay goes on, and finds all rows free at once. */
class KilledRelayTest {
    private static final Duration RECOVERY = Duration.ofSeconds(10);
    private static final Duration FREE = Duration.ofSeconds(2);
    /** Longer than the tests, so that nothing gets free because a time has passed. */
    private static final Duration CONFIRM_TIMEOUT = Duration.ofMinutes(1);

    private static final RelayConfig OTHER =
            RelayConfig.builder().batchSize(100).build();

    private final Broker broker = Broker.shared();

    @Test
    void relayKilledAfterItLockedSlotsHasPublishedNothing() throws Exception {
        assertThat(killedAt(Step.AFTER_LOCK).duplicates()).isZero();
    }

    @Test
    void relayKilledAfterItFetchedHasPublishedNothing() throws Exception {
        assertThat(killedAt(Step.AFTER_FETCH).duplicates()).isZero();
    }

    @Test
    void eventsOfARelayKilledAfterTheConfirmComeAgain() throws Exception {
        assertThat(killedAt(Step.AFTER_CONFIRM).duplicates()).isPositive();
    }

    @Test
    void eventsOfARelayKilledBeforeItsCommitComeAgain() throws Exception {
        assertThat(killedAt(Step.BEFORE_COMMIT).duplicates()).isPositive();
    }

    @Test
    void eventsOfARelayKilledAfterItsCommitDoNotComeAgain() throws Exception {
        assertThat(killedAt(Step.AFTER_COMMIT).duplicates()).isZero();
    }

    @Test
    void eventsOfARelayKilledBeforeTheConfirmComeAgain() throws Exception {
        var server = broker.server().uri();
        try (TcpProxy proxy = TcpProxy.to(server.getHost(), server.getPort());
                FaultRun run = run("after publish, before confirm")) {
            RelayProcess relay = run.process(Broker.at(server, proxy.port()), CONFIRM_TIMEOUT, Step.NOWHERE);
            relay.awaitConnected();
            proxy.swallow(Direction.TO_CLIENT);
            run.receive();
            run.write();
            await().until(() -> run.ledger().deliveries() > 0);
            assertThat(killAndGoOn(run, relay).duplicates()).isPositive();
        }
    }

    private Verdict killedAt(Step step) throws Exception {
        try (FaultRun run = run(step.words())) {
            RelayProcess relay = run.process(CONFIRM_TIMEOUT, step);
            run.receive();
            run.write();
            relay.awaitStep(step);
            return killAndGoOn(run, relay);
        }
    }

    private static Verdict killAndGoOn(FaultRun run, RelayProcess relay) {
        run.inject(relay::kill, () -> run.relay(OTHER));
        await().atMost(FREE).until(() -> run.lockedSlots() == 0);
        run.heal();
        return run.end(RECOVERY);
    }

    private FaultRun run(String step) {
        return new FaultRun("relay killed " + step, PostgresServer.shared(), broker);
    }
}
