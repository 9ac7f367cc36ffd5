package dev.typedoutbox.cluster;

import static dev.typedoutbox.relay.RelayFixture.drain;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static dev.typedoutbox.relay.RelayFixture.runOnce;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.cleanup.Cleanup;
import dev.typedoutbox.deadletter.DeadLetters;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import dev.typedoutbox.relay.RelayState;
import dev.typedoutbox.relay.RetryPolicy;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.Test;

/** All that works on the table at once: writers, relays, the clean-up, and an operator with statements of his own. */
class MaintenanceTest {
    /** Not the common pool, which has one thread on a machine with two cores. */
    private static final Executor THREADS = task -> new Thread(task).start();

    private static final int PUBLISHED = 2_000;
    private static final Duration BOUND = Duration.ofMinutes(1);
    private static final RetryPolicy SHORT_LIVES = new RetryPolicy(2, Duration.ofMillis(1), Duration.ofMillis(5));

    private final OutboxDatabase database = OutboxDatabase.create();
    private final InMemoryPublisher publisher = new InMemoryPublisher();
    private final DeadLetters deadLetters = DeadLetters.of(database.dataSource());
    private final Queue<UUID> confirmed = new ConcurrentLinkedQueue<>();
    private final List<RelayState> states = new CopyOnWriteArrayList<>();
    private final AtomicBoolean stop = new AtomicBoolean();

    @Test
    void relaysTakePartInNoDeadlock() {
        publisher.answer(event -> {
            if (ThreadLocalRandom.current().nextInt(5) == 0) {
                return PublishOutcome.refused("not this time");
            }
            confirmed.add(event.id());
            return PublishOutcome.confirmed();
        });
        // With one worker, so that each of its failures shows in the relay's state.
        RelayConfig config = quick().workers(1)
                .batchSize(100)
                .retryPolicy(SHORT_LIVES)
                .listenOn(database.dataSource())
                .build();
        try (HikariDataSource pool = database.pool(true);
                Relay one = Relay.create(pool, publisher, config);
                Relay two = Relay.create(pool, publisher, config)) {
            start(one);
            start(two);
            List<CompletableFuture<Void>> others = List.of(
                    again(this::write),
                    again(() -> database.execute("delete from outbox_events where processed_at is not null")),
                    again(this::operate));
            await().atMost(BOUND)
                    .until(() -> confirmed.size() > PUBLISHED
                            || others.stream().anyMatch(CompletableFuture::isCompletedExceptionally));
            stop.set(true);
            others.forEach(CompletableFuture::join);
            // Dead letters that were retried while a relay did not listen yet are found by its next sweep.
            await().atMost(BOUND).until(() -> database.count("processed_at is null and dead_at is null") == 0);
        }
        assertThat(confirmed).doesNotHaveDuplicates();
        assertThat(states).doesNotContain(RelayState.WAITING_FOR_DATABASE);
    }

    @Test
    void deadLetterOfAYearAgoOutlivesTheCleanUpAndCanBeRetried() throws Exception {
        database.publish("1", "order.created");
        publisher.answer(event -> PublishOutcome.refused("no such queue"));
        drain(database, publisher, quick().retryPolicy(SHORT_LIVES));
        database.execute("update outbox_events set created_at = created_at - interval '1 year',"
                + " dead_at = dead_at - interval '1 year'");
        Cleanup.builder(database.dataSource()).build().runOnce();

        assertThat(deadLetters.count()).isEqualTo(1);
        assertThat(deadLetters.retryAll()).isEqualTo(1);
        publisher.answer(event -> PublishOutcome.confirmed());
        assertThat(runOnce(database.dataSource(), publisher, quick()).published())
                .isEqualTo(1);
    }

    private void start(Relay relay) {
        relay.onStateChange((state, reason) -> states.add(state));
        relay.start();
    }

    /** No more than the relays can keep up with. */
    private void write() {
        if (database.count("processed_at is null") < 500) {
            database.insertEvents(100, 50);
        }
    }

    private void operate() {
        deadLetters.list(3).forEach(letter -> deadLetters.discard(letter.id(), "too old"));
        deadLetters.retryAll();
        database.execute("update outbox_events set attempts = 0, retry_after = null"
                + " where processed_at is null and dead_at is null");
    }

    private CompletableFuture<Void> again(Runnable work) {
        return CompletableFuture.runAsync(
                () -> {
                    while (!stop.get()) {
                        unlessTheyDeadlock(work);
                    }
                },
                THREADS);
    }

    /** Two statements of others that change many rows each, in whatever order they find them, may meet so. */
    private static void unlessTheyDeadlock(Runnable work) {
        try {
            work.run();
        } catch (DataAccessException e) {
            assertThat(e.sqlState()).isEqualTo("40P01");
        }
    }
}
