package dev.typedoutbox.rabbit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.ConnectionFactory;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.rabbit.support.Openings;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import dev.typedoutbox.relay.RelayState;
import dev.typedoutbox.relay.RetryPolicy;
import dev.typedoutbox.servers.PostgresServer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** A broker that is there and takes no messages: because of its memory, or because the queue is full. */
class BlockedBrokerTest {
    private static final Duration RECOVERY = Duration.ofSeconds(30);
    private static final Duration RECONNECTED = Duration.ofSeconds(8);
    private static final Duration NOTICED = Duration.ofSeconds(10);
    private static final RelayConfig CONFIG = RelayConfig.builder()
            .batchSize(100)
            .confirmTimeout(Duration.ofSeconds(5))
            .closeTimeout(Duration.ofSeconds(2))
            .retryPolicy(new RetryPolicy(1_000, Duration.ofMillis(50), Duration.ofMillis(200)))
            .build();

    /** A connection in the place of a blocked one would not know that it is blocked until it has published. */
    @Test
    void memoryAlarmIsWaitedOutOnTheSameConnectionWithoutATransaction() throws Exception {
        Broker broker = BreakableServers.broker();
        Openings openings = new Openings();
        ConnectionFactory factory = broker.factory();
        factory.setMetricsCollector(openings);
        try (FaultRun run = new FaultRun("memory alarm", PostgresServer.shared(), broker)) {
            Relay relay = run.relay(CONFIG, run.pool(run.database().direct(FaultRun.RELAY)), run.publisher(factory));
            run.flow();
            run.inject(broker.server()::raiseMemoryAlarm, broker.server()::clearMemoryAlarm);
            awaitWaitsWithoutATransaction(relay, run, Duration.ofSeconds(4));
            assertThat(openings.connections()).isEqualTo(1);
            run.heal();
            assertThat(run.end(RECOVERY).recovered()).isLessThan(RECONNECTED);
        }
    }

    @Test
    void relayCanBeClosedAndStartedDuringAMemoryAlarm() throws Exception {
        Broker broker = BreakableServers.broker();
        try (FaultRun run = new FaultRun("relay closed in a memory alarm", PostgresServer.shared(), broker)) {
            Relay relay = run.relay(CONFIG);
            run.flow();
            run.inject(broker.server()::raiseMemoryAlarm, broker.server()::clearMemoryAlarm);
            awaitWaitsWithoutATransaction(relay, run, Duration.ofMillis(100));
            long start = System.nanoTime();
            relay.close();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
            relay.start();
            awaitWaitsWithoutATransaction(relay, run, Duration.ofMillis(100));
            run.heal();
            assertThat(run.end(RECOVERY).recovered()).isLessThan(RECONNECTED);
        }
    }

    @Test
    void eventsThatAFullQueueRejectsAreCountedAndSentWhenItHasRoom() throws Exception {
        Broker broker = BreakableServers.broker();
        Map<String, Object> full = Map.of("x-max-length", 100, "x-overflow", "reject-publish");
        try (FaultRun run = new FaultRun("queue full", PostgresServer.shared(), broker, full)) {
            run.accounts().expectRefusals();
            Relay relay = run.relay(CONFIG);
            run.inject(run::write, run::receive);
            await().atMost(NOTICED)
                    .until(() -> run.database().count("outbox_events where last_error like '%nacked%'") > 20);
            assertThat(relay.state()).isEqualTo(RelayState.RUNNING);
            run.heal();
            assertThat(run.end(RECOVERY).duplicates()).isZero();
        }
    }

    private static void awaitWaitsWithoutATransaction(Relay relay, FaultRun run, Duration length) {
        Callable<Boolean> waits = () -> relay.state() == RelayState.WAITING_FOR_BROKER && run.openTransactions() == 0;
        await().atMost(NOTICED).until(waits);
        await().during(length).atMost(NOTICED).until(waits);
    }
}
