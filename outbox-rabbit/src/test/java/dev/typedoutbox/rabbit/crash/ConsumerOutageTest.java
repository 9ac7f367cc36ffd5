package dev.typedoutbox.rabbit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.Applied;
import dev.typedoutbox.consumer.IdempotentConsumer;
import dev.typedoutbox.rabbit.RabbitConsumer;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.rabbit.support.Events;
import dev.typedoutbox.rabbit.support.OutboxDatabase;
import dev.typedoutbox.relay.RetryPolicy;
import dev.typedoutbox.servers.PostgresServer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A consumer goes on by itself after whatever happens to its servers, and each event has one effect, in order. */
class ConsumerOutageTest {
    private static final int EVENTS = 3_000;
    private static final int AGGREGATES = 50;
    private static final int UNDER_WAY = 200;
    /** So few that the fault finds batches under way. */
    private static final int BATCH = 5;

    private static final Duration RECOVERED = Duration.ofSeconds(60);

    /** With as few attempts as that, an outage which counted as one would leave dead letters. */
    private static final RetryPolicy TWICE = new RetryPolicy(2, Duration.ofMillis(100), Duration.ofMillis(100));

    private final PostgresServer postgres = BreakableServers.postgres();
    private final Broker broker = BreakableServers.broker();
    private final HastyConnections connections =
            new HastyConnections(broker.server().uri());
    private final String exchange = broker.exchange();
    private final String deadExchange = broker.exchange();
    /** Without a single active consumer, RabbitMQ may give later events to the new one before the old one is known to be gone. */
    private final String queue = broker.queue(
            exchange,
            "#",
            Map.of("x-queue-type", "quorum", "x-single-active-consumer", true, "x-dead-letter-exchange", deadExchange));

    private final String deadQueue = broker.queue(deadExchange, "#");

    @Test
    void stoppedBrokerLosesAndRepeatsNothing() {
        run(broker.server()::stop, broker.server()::resume);
    }

    @Test
    void killedBrokerLosesAndRepeatsNothing() {
        // RabbitMQ keeps the names of its quorum queues in a file that it writes half a second later: one that was
        // declared
        // just before it was killed does not come back, and whoever wants to consume it gets no answer.
        broker.server().stop();
        broker.server().resume();
        run(broker.server()::kill, broker.server()::resume);
    }

    @Test
    void frozenBrokerLosesAndRepeatsNothing() {
        run(
                () -> {
                    broker.server().freeze();
                    await().atMost(RECOVERED).until(() -> connections.lost.get() > 0);
                },
                broker.server()::thaw);
    }

    @Test
    void closedConnectionsLoseAndRepeatNothing() {
        run(broker.server()::closeConnections, () -> {});
    }

    @Test
    void stoppedDatabaseLosesAndRepeatsNothing() {
        run(postgres::stop, postgres::resume);
    }

    @Test
    void killedDatabaseLosesAndRepeatsNothing() {
        run(postgres::kill, postgres::resume);
    }

    /** The large one fills the connection that the broker does not read, so that even closing it could not be said. */
    @ParameterizedTest
    @ValueSource(ints = {100, 14 * 1024 * 1024})
    void deadLetterHoldsUpNothingWhileTheBrokerBlocksItsPublishers(int size) {
        broker.run(channel -> {
            channel.confirmSelect();
            channel.basicPublish(exchange, "no.id", new BasicProperties(), new byte[size]);
            return channel.waitForConfirms();
        });
        broker.publish(exchange, Events.many(5, "order.created"));
        AtomicInteger applied = new AtomicInteger();
        RabbitConsumer consumer = RabbitConsumer.builder(broker.factory(), queue, event -> {
                    applied.incrementAndGet();
                    return Applied.APPLIED;
                })
                .batchSize(1)
                .deadLetterExchange(deadExchange)
                .build();
        broker.server().raiseMemoryAlarm();
        try {
            consumer.start();
            await().atMost(Duration.ofSeconds(8)).until(() -> applied.get() == 5);
            assertTimeoutPreemptively(Duration.ofSeconds(8), consumer::close);
        } finally {
            broker.server().clearMemoryAlarm();
            consumer.close();
        }
        await().until(() -> broker.ready(queue) == 1);
    }

    private void run(Runnable fault, Runnable cure) {
        try (OutboxDatabase database = OutboxDatabase.on(postgres)) {
            database.execute("create table effects (place serial, event_id uuid, aggregate_id text, seq bigint)");
            IdempotentConsumer effects =
                    IdempotentConsumer.create(database.dataSource(), "test", ConsumerOutageTest::insert);
            broker.publish(exchange, events());
            try (RabbitConsumer consumer = RabbitConsumer.builder(connections, queue, effects)
                    .batchSize(BATCH)
                    .prefetch(10 * BATCH)
                    .retryPolicy(TWICE)
                    .deadLetterExchange(deadExchange)
                    .build()) {
                consumer.start();
                await().until(() -> database.count("effects") > UNDER_WAY);
                fault.run();
                cure.run();
                await().atMost(RECOVERED).ignoreExceptions().until(() -> database.count("effects") == EVENTS);
            }
            assertThat(database.count("(select distinct event_id from effects) ids"))
                    .isEqualTo(EVENTS);
            assertThat(database.count("(select seq, lag(seq) over (partition by aggregate_id order by place) as earlier"
                            + " from effects) e where seq < earlier"))
                    .isZero();
        }
        assertThat(broker.take(deadQueue)).isEmpty();
        assertThat(broker.ready(queue)).isZero();
    }

    /** In an exception of its own, as many frameworks have it, a lost session is still no fault of the event's. */
    private static void insert(DSLContext tx, OutboxEvent event) {
        try {
            tx.execute(
                    "insert into effects (event_id, aggregate_id, seq) values (?, ?, ?)",
                    event.id(),
                    event.aggregateId(),
                    event.seq());
        } catch (DataAccessException e) {
            throw new IllegalStateException("effect could not be written", e);
        }
    }

    private static List<OutboxEvent> events() {
        return IntStream.range(0, EVENTS)
                .mapToObj(i -> Events.of("a" + i % AGGREGATES, i))
                .toList();
    }

    /** Notices a frozen broker soon, and tells of it. */
    private static final class HastyConnections extends ConnectionFactory {
        private final AtomicInteger lost = new AtomicInteger();

        HastyConnections(URI broker) {
            try {
                setUri(broker);
            } catch (Exception e) {
                throw new IllegalArgumentException(e);
            }
            setRequestedHeartbeat(1);
        }

        @Override
        public Connection newConnection(String name) throws IOException, TimeoutException {
            Connection connection = super.newConnection(name);
            connection.addShutdownListener(cause -> lost.incrementAndGet());
            return connection;
        }
    }
}
