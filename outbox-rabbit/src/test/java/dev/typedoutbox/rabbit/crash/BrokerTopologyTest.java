package dev.typedoutbox.rabbit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConnectionFactory;
import dev.typedoutbox.rabbit.Destination;
import dev.typedoutbox.rabbit.RabbitPublisher;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.rabbit.support.Openings;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import dev.typedoutbox.relay.RelayState;
import dev.typedoutbox.relay.RetryPolicy;
import dev.typedoutbox.servers.AmqpServer;
import dev.typedoutbox.servers.PostgresServer;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Exchanges and queues that go and come back. The broker refuses what is sent to them meanwhile, event by event. */
class BrokerTopologyTest {
    private static final Duration RECOVERY = Duration.ofSeconds(30);
    private static final Duration NOTICED = Duration.ofSeconds(10);
    private static final Duration SHORTEST_WAIT = Duration.ofMillis(100);
    /** What was outstanding when a channel is closed must end with it, and not at the time-out, which is too long here. */
    private static final RelayConfig CONFIG = RelayConfig.builder()
            .confirmTimeout(Duration.ofMinutes(1))
            .batchSize(100)
            .pollInterval(Duration.ofMillis(50))
            .retryPolicy(new RetryPolicy(1_000, SHORTEST_WAIT, Duration.ofMillis(500)))
            .build();

    private final Broker broker = Broker.shared();

    BrokerTopologyTest() {
        assumeTrue(broker.server().isRabbitMq(), AmqpServer.HOW_TO_GET_RABBITMQ);
    }

    @Test
    void deletedExchangeIsUsedAgainWhenItIsBack() throws Exception {
        try (FaultRun run = run("exchange deleted")) {
            Relay relay = run.relay(CONFIG);
            run.flow();
            run.inject(
                    () -> broker.run(channel -> channel.exchangeDelete(run.exchange())),
                    () -> broker.run(channel -> declareExchange(channel, run.exchange(), run.queue())));
            awaitRefused(run, "NOT_FOUND - no exchange");
            assertThat(relay.state()).isEqualTo(RelayState.RUNNING);
            run.heal();
            run.end(RECOVERY);
        }
    }

    @Test
    void deletedQueueGetsTheEventsWhenItIsBack() throws Exception {
        try (FaultRun run = run("queue deleted")) {
            Relay relay = run.relay(CONFIG);
            run.flow();
            run.inject(
                    () -> broker.run(channel -> deleteEmptyQueue(channel, run)),
                    () -> broker.run(channel -> {
                        channel.queueDeclare(run.queue(), true, false, false, null);
                        return channel.queueBind(run.queue(), run.exchange(), "#");
                    }));
            awaitRefused(run, "NO_ROUTE");
            assertThat(relay.state()).isEqualTo(RelayState.RUNNING);
            run.heal();
            run.end(RECOVERY);
        }
    }

    @Test
    void destinationThatIsAlwaysBadCostsTheOthersNeitherTheConnectionNorAttempts() throws Exception {
        Openings openings = new Openings();
        try (FaultRun run = run("one bad destination")) {
            String missing = "missing-" + run.exchange();
            ConnectionFactory factory = broker.factory();
            factory.setMetricsCollector(openings);
            RabbitPublisher publisher = RabbitPublisher.create(
                    factory,
                    event -> new Destination(
                            event.eventType().equals("order.bad") ? missing : run.exchange(), event.eventType()));
            run.relay(CONFIG, run.pool(run.database().direct(FaultRun.RELAY)), publisher);
            run.flow();
            long start = System.nanoTime();
            run.inject(
                    () -> run.accounts().loaded(Writers.writeOne(run.database(), "order.bad")),
                    () -> broker.run(channel -> declareExchange(channel, missing, run.queue())));
            await().atMost(NOTICED).until(() -> run.database().count("outbox_events where attempts >= 5") == 1);
            int attempts = attemptsOfTheBad(run);
            // It waits between them, however often the relay polls.
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isGreaterThan(SHORTEST_WAIT.multipliedBy(attempts - 1));
            // Each attempt costs the channel that it was sent on among others, and the one that it was sent on alone.
            assertThat(openings.channels()).isBetween(attempts, RelayConfig.DEFAULT_WORKERS + 2 * (attempts + 1));
            assertThat(openings.connections()).isEqualTo(1);
            assertThat(run.database().count("outbox_events where attempts > 0 and event_type <> 'order.bad'"))
                    .isZero();
            run.heal();
            run.accounts().expectRefusals();
            run.accounts().explain((attemptsOfTheBad(run) - 1) * CONFIG.batchSize());
            run.end(RECOVERY);
        }
    }

    private static int attemptsOfTheBad(FaultRun run) {
        return (int) run.database().count("outbox_events, generate_series(1, attempts)");
    }

    private static void awaitRefused(FaultRun run, String reason) {
        await().atMost(NOTICED)
                .until(() -> run.database().count("outbox_events where last_error like '%" + reason + "%'") > 20);
        run.accounts().expectRefusals();
    }

    private static Channel declareExchange(Channel channel, String exchange, String queue) throws IOException {
        channel.exchangeDeclare(exchange, BuiltinExchangeType.TOPIC, true);
        channel.queueBind(queue, exchange, "#");
        return channel;
    }

    /** What a queue holds when it is deleted is lost, confirmed or not, so it is let run empty first. */
    private static Channel deleteEmptyQueue(Channel channel, FaultRun run) throws IOException {
        channel.queueUnbind(run.queue(), run.exchange(), "#");
        await().until(() -> channel.messageCount(run.queue()) == 0);
        channel.queueDelete(run.queue());
        return channel;
    }

    private FaultRun run(String fault) {
        return new FaultRun(fault, PostgresServer.shared(), broker);
    }
}
