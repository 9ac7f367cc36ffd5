package dev.typedoutbox.cluster;

import static dev.typedoutbox.relay.RelayFixture.awaitPending;
import static dev.typedoutbox.relay.RelayFixture.eventually;
import static dev.typedoutbox.relay.RelayFixture.placesByAggregate;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfigBuilder;
import dev.typedoutbox.relay.RetryPolicy;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jooq.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several relays, and writers beside them, on one outbox. */
class SeveralRelaysTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();

    private final InMemoryPublisher publisher = new InMemoryPublisher();

    @BeforeEach
    void empty() {
        DATABASE.empty();
    }

    @Test
    void twoRelaysSendEachEventOnceAndKeepTheOrderOfEachAggregate() {
        DATABASE.insertEvents(10_000, 300);
        try (HikariDataSource pool = DATABASE.pool(true);
                Relay one = relay(pool, quick().workers(2).batchSize(200));
                Relay two = relay(pool, quick().workers(2).batchSize(200))) {
            one.start();
            two.start();
            awaitPending(DATABASE, 0);
        }

        assertThat(publisher.sent()).extracting(OutboxEvent::id).hasSize(10_000).doesNotHaveDuplicates();
        assertThat(placesByAggregate(publisher.sent()).values())
                .hasSize(300)
                .allSatisfy(places -> assertThat(places).isSorted());
    }

    @Test
    void orderHoldsWithSeveralRelaysWhenEventsAreRefusedAndTriedAgain() {
        DATABASE.insertEvents(600, 12);
        Set<Long> refusedOnce = ConcurrentHashMap.newKeySet();
        publisher.answer(event -> event.seq() % 5 == 0 && refusedOnce.add(event.seq())
                ? PublishOutcome.refused("not now")
                : PublishOutcome.confirmed());
        RetryPolicy retry = new RetryPolicy(3, Duration.ofMillis(20), Duration.ofMillis(40));
        try (HikariDataSource pool = DATABASE.pool(true);
                Relay one = relay(pool, quick().retryPolicy(retry));
                Relay two = relay(pool, quick().retryPolicy(retry))) {
            one.start();
            two.start();
            awaitPending(DATABASE, 0);
        }

        assertThat(publisher.sent()).hasSize(600 + 120);
        assertThat(placesByAggregate(publisher.sent()).values())
                .allSatisfy(places -> assertThat(places).isSorted());
    }

    @Test
    void slowSendOfOneRelayHoldsUpNoOther() throws Exception {
        DATABASE.insertEvents(64 * 20, 640);
        CountDownLatch release = new CountDownLatch(1);
        InMemoryPublisher slow = new InMemoryPublisher();
        slow.answer(event -> {
            awaitUninterrupted(release);
            return PublishOutcome.confirmed();
        });
        try (HikariDataSource pool = DATABASE.pool(true);
                Relay stuck = Relay.create(
                        pool,
                        slow,
                        quick().workers(1)
                                .confirmTimeout(Duration.ofSeconds(20))
                                .build());
                Relay healthy = relay(pool, quick())) {
            stuck.start();
            eventually(() -> !slow.sent().isEmpty());
            healthy.start();
            eventually(() -> publisher.sent().size() > 640);
            assertThat(DATABASE.value("select count(*) from pg_locks where not granted"))
                    .isEqualTo("0");
            release.countDown();
            awaitPending(DATABASE, 0);
        }
        assertThat(publisher.sent()).hasSizeBetween(641, 64 * 20 - 1);
    }

    @Test
    void transactionThatCommitsLateIsNotForgotten() throws Exception {
        ExecutorService writers = Executors.newFixedThreadPool(30);
        Outbox outbox = Outbox.create();
        List<Future<List<UUID>>> written = new ArrayList<>();
        try (HikariDataSource pool = DATABASE.pool(true);
                Relay relay = relay(pool, quick())) {
            relay.start();
            for (int w = 0; w < 30; w++) {
                written.add(writers.submit(() -> {
                    List<UUID> ids = new ArrayList<>();
                    for (int i = 0; i < 10; i++) {
                        ids.add(DATABASE.dsl().transactionResult((Configuration tx) -> {
                            UUID id = outbox.publish(
                                    tx, NewEvent.of("order", UUID.randomUUID().toString(), "e", "x"));
                            tx.dsl().execute("select pg_sleep(random() * 0.03)");
                            return id;
                        }));
                    }
                    return ids;
                }));
            }
            List<UUID> all = new ArrayList<>();
            for (Future<List<UUID>> ids : written) {
                all.addAll(ids.get());
            }
            awaitPending(DATABASE, 0);
            assertThat(publisher.sent()).extracting(OutboxEvent::id).containsExactlyInAnyOrderElementsOf(all);
        } finally {
            writers.shutdownNow();
        }
    }

    private Relay relay(HikariDataSource pool, RelayConfigBuilder config) {
        return Relay.create(pool, publisher, config.build());
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
