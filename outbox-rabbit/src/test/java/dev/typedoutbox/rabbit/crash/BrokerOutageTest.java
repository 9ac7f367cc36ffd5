package dev.typedoutbox.rabbit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import dev.typedoutbox.relay.RelayState;
import dev.typedoutbox.servers.AmqpServer;
import dev.typedoutbox.servers.PostgresServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A broker that ends, dies or no longer moves, under load: the outbox grows, no attempt is counted, and then it drains. */
class BrokerOutageTest {
    private static final Duration RECOVERY = Duration.ofSeconds(60);
    /** The longest back-off of five seconds, and something for a slow machine. */
    private static final Duration RECONNECTED = Duration.ofSeconds(8);

    private static final Duration NOTICED = Duration.ofSeconds(10);
    /** So few events in a batch that a backlog takes a while, and the fault finds some in flight. */
    private static final int SMALL = 20;

    private static final RelayConfig CONFIG = RelayConfig.builder()
            .batchSize(100)
            .confirmTimeout(Duration.ofSeconds(2))
            .build();

    private final Broker broker = BreakableServers.broker();
    private final AmqpServer server = broker.server();

    @Test
    void outboxGrowsWhileTheBrokerIsDownAndThenDrainsByItself() throws Exception {
        try (FaultRun run = run("broker stopped")) {
            Relay relay = run.relay(CONFIG);
            run.flow();
            run.inject(server::stop, server::resume);
            awaitWaiting(relay, run);
            await().until(() -> run.database().pending() > 500);
            run.heal();
            Verdict verdict = run.end(RECOVERY);
            assertThat(verdict.recovered()).isLessThan(RECONNECTED);
            // What was written during the outage does not wait for anything else than what is written after it.
            assertThat(verdict.drained()).isLessThan(RECONNECTED.plus(NOTICED));
            assertThat(relay.state()).isEqualTo(RelayState.RUNNING);
        }
    }

    @Test
    void brokerThatIsKilledWithBatchesInFlightLosesNothing() throws Exception {
        try (FaultRun run = run("broker killed")) {
            run.load(5_000);
            Relay relay = run.relay(RelayConfig.builder().batchSize(SMALL).build());
            run.flow();
            run.inject(server::kill, server::resume);
            awaitWaiting(relay, run);
            assertThat(run.database().pending()).isPositive();
            run.heal();
            assertThat(run.end(RECOVERY).recovered()).isLessThan(RECONNECTED);
        }
    }

    @Test
    void brokerThatFreezesIsGivenUpAndUsedAgainAfterItThaws() throws Exception {
        try (FaultRun run = run("broker frozen")) {
            Relay relay = run.relay(CONFIG);
            run.flow();
            run.inject(server::freeze, server::thaw);
            awaitWaiting(relay, run);
            run.heal();
            assertThat(run.end(RECOVERY).recovered()).isLessThan(RECONNECTED);
        }
    }

    /** The confirms outstanding end with the connection: their time-out would come too late for the bound. */
    @Test
    void connectionsThatTheServerClosesAreReplacedAtOnce() throws Exception {
        RelayConfig patient = RelayConfig.builder()
                .batchSize(SMALL)
                .confirmTimeout(Duration.ofMinutes(1))
                .build();
        try (FaultRun run = run("all connections closed 3 times")) {
            run.load(5_000);
            run.relay(patient);
            run.flow();
            for (int i = 0; i < 3; i++) {
                run.inject(server::closeConnections, () -> {});
                run.heal();
                run.awaitMore(RECONNECTED);
            }
            assertThat(run.end(RECOVERY).recovered()).isLessThan(RECONNECTED);
        }
    }

    @Test
    void closeReturnsInTimeWhileTheBrokerIsFrozen() throws Exception {
        RelayConfig hasty = RelayConfig.builder()
                .batchSize(100)
                .confirmTimeout(Duration.ofMinutes(1))
                .closeTimeout(Duration.ofSeconds(1))
                .build();
        try (FaultRun run = run("relay closed while the broker is frozen")) {
            Relay relay = run.relay(hasty);
            run.flow();
            run.inject(server::freeze, () -> {
                server.thaw();
                run.relay(CONFIG);
            });
            await().until(() -> run.openTransactions() > 0 && run.database().pending() > 100);
            long start = System.nanoTime();
            relay.close();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(6));
            assertThat(relay.state()).isEqualTo(RelayState.STOPPED);
            assertThat(run.openTransactions()).isZero();
            run.heal();
            run.end(RECOVERY);
        }
    }

    private static void awaitWaiting(Relay relay, FaultRun run) {
        await().atMost(NOTICED).until(() -> relay.state() == RelayState.WAITING_FOR_BROKER);
        await().atMost(NOTICED).until(() -> run.openTransactions() == 0);
    }

    private FaultRun run(String fault) {
        return new FaultRun(fault, PostgresServer.shared(), broker);
    }
}
