package dev.typedoutbox.relay;

import static dev.typedoutbox.relay.RelayFixture.awaitPending;
import static dev.typedoutbox.relay.RelayFixture.eventually;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.db.OutboxSchemaException;
import dev.typedoutbox.servers.PostgresServer;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Starting, stopping, and going on after whatever was away. */
@Timeout(60)
class RelayLifecycleTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();

    private final InMemoryPublisher publisher = new InMemoryPublisher();

    @BeforeEach
    void empty() {
        DATABASE.empty();
    }

    @Test
    void relayCanBeStartedAgainAfterItWasClosed() {
        Relay relay = relay(quick());
        assertThat(relay.state()).isEqualTo(RelayState.STOPPED);
        for (int round = 1; round <= 3; round++) {
            DATABASE.insertEvents(10, 5);
            relay.start();
            awaitPending(DATABASE, 0);
            eventually(() -> relay.state() == RelayState.RUNNING);
            relay.close();
            assertThat(relay.state()).isEqualTo(RelayState.STOPPED);
            assertThat(publisher.sent()).hasSize(10 * round);
        }
        relay.close();
    }

    @Test
    void relayThatIsClosedWhileItStartsDoesNotRun() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        DataSource slow = (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, args) -> {
                    asked.countDown();
                    answer.await();
                    return method.invoke(DATABASE.dataSource(), args);
                });
        Relay relay = Relay.create(slow, publisher, quick().build());
        FutureTask<Void> start = new FutureTask<>(relay::start, null);
        new Thread(start).start();
        asked.await();
        relay.close();
        answer.countDown();
        assertThatThrownBy(start::get).hasRootCauseMessage("relay must not be closed while it starts (was)");
        assertThat(relay.state()).isEqualTo(RelayState.STOPPED);
    }

    @Test
    void relayThatRunsCannotBeStarted() {
        try (Relay relay = relay(quick())) {
            relay.start();
            assertThatThrownBy(relay::start)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("relay must be stopped to be started (was ");
        }
    }

    @Test
    void closedRelayLeavesNoThreadAndNoSession() {
        Set<Thread> before = relayThreads();
        Relay relay = relay(quick().workers(4));
        relay.start();
        eventually(() -> publisher.openSessions() == 4);
        assertThat(relayThreads()).hasSize(before.size() + 4).allMatch(Thread::isDaemon);

        relay.close();

        assertThat(relayThreads()).isEqualTo(before);
        assertThat(publisher.openSessions()).isZero();
    }

    @Test
    void missingSchemaIsToldAtTheStart() {
        try (Relay relay = relay(quick().schema("nowhere"))) {
            assertThatThrownBy(relay::start)
                    .isInstanceOf(OutboxSchemaException.class)
                    .hasMessageStartingWith("schema \"nowhere\" must hold outbox_events (was missing)");
            assertThat(relay.state()).isEqualTo(RelayState.STOPPED);
        }
    }

    @Test
    void closeEndsABatchUnderWayAndMarksIt() {
        DATABASE.insertEvents(5, 5);
        CountDownLatch release = new CountDownLatch(1);
        publisher.answer(event -> {
            awaitLatch(release);
            return PublishOutcome.confirmed();
        });
        Relay relay = relay(quick().workers(1));
        relay.start();
        eventually(() -> publisher.sent().size() == 1);
        Thread closing = new Thread(relay::close);
        closing.start();
        eventually(() -> closing.getState() == Thread.State.TIMED_WAITING);
        release.countDown();
        eventually(() -> !closing.isAlive());

        assertThat(DATABASE.count("processed_at is not null")).isEqualTo(5);
        assertThat(publisher.sent()).hasSize(5);
    }

    @Test
    void closeReturnsInTimeWhileThePublisherHangsAndBurnsNoAttempts() {
        DATABASE.insertEvents(5, 5);
        publisher.answer(event -> {
            if (!awaitLatch(new CountDownLatch(1))) {
                return PublishOutcome.unknown("interrupted");
            }
            return PublishOutcome.confirmed();
        });
        Relay relay = relay(quick().closeTimeout(Duration.ofMillis(200)));
        relay.start();
        eventually(() -> !publisher.sent().isEmpty());
        long start = System.nanoTime();

        relay.close();

        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isBetween(Duration.ofMillis(190), Duration.ofSeconds(2));
        assertThat(relayThreads()).noneMatch(Thread::isAlive);
        assertThat(DATABASE.count("attempts = 0 and processed_at is null and retry_after is null"))
                .isEqualTo(5);
    }

    @Test
    void workerThatWasGivenUpDoesNotSpeakForItsSuccessor() throws Exception {
        DATABASE.insertEvents(1, 1);
        CompletableFuture<Thread> stuck = new CompletableFuture<>();
        CompletableFuture<PublishOutcome> answer = new CompletableFuture<>();
        // Interrupts do not end join().
        publisher.answer(event -> stuck.complete(Thread.currentThread()) ? answer.join() : PublishOutcome.confirmed());
        Relay relay = relay(quick().workers(1).closeTimeout(Duration.ofMillis(1)));
        relay.start();
        Thread former = stuck.get();
        relay.close();
        List<String> told = new CopyOnWriteArrayList<>();
        relay.onStateChange((state, reason) -> told.add(state + " " + reason));
        relay.start();
        awaitPending(DATABASE, 0);
        eventually(() -> relay.state() == RelayState.RUNNING);

        answer.complete(PublishOutcome.confirmed());
        former.join();

        relay.close();
        assertThat(told).containsExactly("STARTING ", "RUNNING ", "STOPPED ");
    }

    @Test
    void stoppingInMidBatchAgainAndAgainKillsNoEvent() {
        DATABASE.insertEvents(5, 5);
        publisher.answer(
                event -> awaitLatch(new CountDownLatch(1)) ? PublishOutcome.confirmed() : PublishOutcome.unknown(""));
        for (int i = 0; i < 10; i++) {
            int sentBefore = publisher.sent().size();
            try (Relay relay = relay(quick().closeTimeout(Duration.ofMillis(1)))) {
                relay.start();
                eventually(() -> publisher.sent().size() > sentBefore);
            }
        }

        assertThat(DATABASE.count("attempts = 0 and dead_at is null")).isEqualTo(5);
    }

    @Test
    void relayWaitsForABrokerThatIsAwayOrBlocksAndGoesOnByItself() {
        DATABASE.insertEvents(5, 5);
        publisher.setAvailable(false);
        try (Relay relay = relay(quick())) {
            relay.start();
            eventually(() -> relay.state() == RelayState.WAITING_FOR_BROKER);
            publisher.setBlocked(true);
            publisher.setAvailable(true);
            eventually(() -> publisher.openSessions() == 2);
            assertThat(relay.state()).isEqualTo(RelayState.WAITING_FOR_BROKER);
            assertThat(DATABASE.value("select count(*) from pg_stat_activity where state like 'idle in transaction%'"
                            + " and datname = current_database()"))
                    .isEqualTo("0");
            publisher.setBlocked(false);
            awaitPending(DATABASE, 0);
            eventually(() -> relay.state() == RelayState.RUNNING);
        }
        assertThat(publisher.sent()).extracting(OutboxEvent::id).hasSize(5).doesNotHaveDuplicates();
    }

    @Test
    void relayOutlivesAnyErrorOfItsPublisher() {
        EventPublisher faulty = new EventPublisher() {
            private int opened;

            @Override
            public synchronized PublisherSession open() {
                opened++;
                if (opened == 1) {
                    throw new IllegalStateException("a fault in the publisher");
                }
                if (opened == 2) {
                    throw new NoClassDefFoundError("a.Class");
                }
                return publisher.open();
            }

            @Override
            public void close() {}
        };
        DATABASE.insertEvents(5, 5);
        RelayConfig config = quick().workers(1).build();
        try (Relay relay = Relay.create(DATABASE.dataSource(), faulty, config)) {
            relay.start();
            awaitPending(DATABASE, 0);
        }
        assertThat(publisher.sent()).hasSize(5);
    }

    @Test
    void relayWaitsForADatabaseThatIsAwayAndGoesOnByItself() {
        try (PostgresServer server = PostgresServer.start()) {
            Assumptions.assumeTrue(server.isControllable(), "needs a PostgreSQL that it may stop");
            OutboxDatabase database = OutboxDatabase.createOn(server);
            UUID first = database.publish("1", "order.created");
            server.stop();
            try (Relay relay = Relay.create(database.dataSource(), publisher, quick().build())) {
                relay.start();
                eventually(() -> relay.state() == RelayState.WAITING_FOR_DATABASE);
                server.resume();
                eventually(() -> relay.state() == RelayState.RUNNING);
                awaitPending(database, 0);

                server.kill();
                eventually(() -> relay.state() == RelayState.WAITING_FOR_DATABASE);
                server.resume();
                UUID second = database.publish("1", "order.paid");
                awaitPending(database, 0);
                // The crash may have taken the first event's mark with it: a duplicate, never a loss.
                assertThat(publisher.sent().stream().map(OutboxEvent::id).distinct())
                        .containsExactly(first, second);
            }
        }
    }

    private Relay relay(RelayConfigBuilder config) {
        return Relay.create(DATABASE.dataSource(), publisher, config.build());
    }

    private static Set<Thread> relayThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("outbox-relay-"))
                .collect(Collectors.toSet());
    }

    private static boolean awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
