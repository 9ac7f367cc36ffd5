package dev.typedoutbox.rabbit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.typedoutbox.rabbit.crash.Hold.Step;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import dev.typedoutbox.relay.RelayState;
import dev.typedoutbox.servers.AmqpServer;
import dev.typedoutbox.servers.PostgresServer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The faults of the other tests, for as long as operators see them, and many of them in a row. */
@Tag("thorough")
class LongFaultsTest {
    private static final Duration RECOVERY = Duration.ofMinutes(3);
    /** The longest back-off of five seconds, and something for a slow machine. */
    private static final Duration RECONNECTED = Duration.ofSeconds(8);

    private static final Duration NOTICED = Duration.ofSeconds(20);
    private static final RelayConfig CONFIG = RelayConfig.builder()
            .batchSize(100)
            .confirmTimeout(Duration.ofSeconds(2))
            .statementTimeout(Duration.ofSeconds(2))
            .build();

    private final Broker broker = BreakableServers.broker();
    private final AmqpServer rabbit = broker.server();
    private final PostgresServer postgres = BreakableServers.postgres();

    private record Fault(Runnable strike, Runnable heal) {}

    @Test
    void brokerThatIsDownForTwoMinutesCostsNoAttempt() throws Exception {
        longOutage("broker stopped for 2 min", new Fault(rabbit::stop, rabbit::resume), Duration.ofMinutes(2));
    }

    @Test
    void brokerThatIsFrozenForAMinuteCostsNoAttempt() throws Exception {
        longOutage("broker frozen for 1 min", new Fault(rabbit::freeze, rabbit::thaw), Duration.ofMinutes(1));
    }

    @Test
    void memoryAlarmOfThreeMinutesIsWaitedOut() throws Exception {
        longOutage(
                "memory alarm of 3 min",
                new Fault(rabbit::raiseMemoryAlarm, rabbit::clearMemoryAlarm),
                Duration.ofMinutes(3));
    }

    @Test
    void thirtyFaultsInARowLoseNothing() throws Exception {
        Random random = new Random(30);
        List<Fault> faults = List.of(
                new Fault(rabbit::closeConnections, () -> {}),
                new Fault(rabbit::freeze, rabbit::thaw),
                new Fault(rabbit::kill, rabbit::resume),
                new Fault(rabbit::stop, rabbit::resume),
                new Fault(rabbit::raiseMemoryAlarm, rabbit::clearMemoryAlarm),
                new Fault(postgres::kill, postgres::resume),
                new Fault(postgres::stop, postgres::resume));
        try (FaultRun run = new FaultRun("30 faults in a row", postgres, broker)) {
            run.accounts().expectLostMarks(Duration.ofSeconds(1));
            run.relay(CONFIG);
            run.relay(CONFIG);
            run.flow();
            for (int i = 0; i < 30; i++) {
                Fault fault = faults.get(random.nextInt(faults.size()));
                run.inject(fault.strike(), fault.heal());
                run.heal();
                run.awaitMore(RECOVERY);
            }
            run.end(RECOVERY);
        }
    }

    @Test
    void relaysThatAreKilledAtEveryStepAgainAndAgainLoseNothing() throws Exception {
        try (FaultRun run = new FaultRun("25 relays killed", postgres, broker)) {
            run.receive();
            run.write();
            for (int i = 0; i < 5; i++) {
                for (Step step : List.of(
                        Step.AFTER_LOCK, Step.AFTER_FETCH, Step.AFTER_CONFIRM, Step.BEFORE_COMMIT, Step.AFTER_COMMIT)) {
                    RelayProcess relay = run.process(Duration.ofMinutes(1), step);
                    relay.awaitStep(step);
                    run.inject(relay::kill, () -> {});
                }
            }
            run.inject(() -> {}, () -> run.relay(CONFIG));
            run.heal();
            run.end(RECOVERY);
        }
    }

    private void longOutage(String name, Fault fault, Duration length) throws Exception {
        try (FaultRun run = new FaultRun(name, postgres, broker)) {
            Relay relay = run.relay(CONFIG);
            run.flow();
            run.inject(fault.strike(), fault.heal());
            await().atMost(NOTICED).until(() -> waits(run, relay));
            await().during(length).atMost(length.plus(NOTICED)).until(() -> waits(run, relay));
            run.heal();
            assertThat(run.end(RECOVERY).recovered()).isLessThan(RECONNECTED);
        }
    }

    private static boolean waits(FaultRun run, Relay relay) {
        return relay.state() == RelayState.WAITING_FOR_BROKER && run.openTransactions() == 0;
    }
}
