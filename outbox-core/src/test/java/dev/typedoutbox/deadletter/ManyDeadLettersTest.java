package dev.typedoutbox.deadletter;

import static dev.typedoutbox.relay.RelayFixture.placesByAggregate;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static dev.typedoutbox.relay.RelayFixture.runOnce;
import static org.assertj.core.api.Assertions.assertThat;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayFixture;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** More dead letters than one batch changes, more than one operator, and a relay at work meanwhile. */
@Timeout(120)
class ManyDeadLettersTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();
    private static final int MANY = 12_000;

    private final DeadLetters deadLetters = DeadLetters.of(DATABASE.dataSource());
    private final InMemoryPublisher publisher = new InMemoryPublisher();

    @BeforeEach
    void empty() {
        DATABASE.empty();
    }

    @Test
    void retriedOnesOfAnAggregateLeaveInOrderWhileTheRelayRuns() {
        die(MANY, 20);
        try (Relay relay = Relay.create(DATABASE.dataSource(), publisher, quick().build())) {
            relay.start();
            assertThat(deadLetters.retryAll()).isEqualTo(MANY);
            RelayFixture.awaitPending(DATABASE, 0);
        }
        assertThat(publisher.sent()).extracting(OutboxEvent::id).hasSize(MANY).doesNotHaveDuplicates();
        assertThat(placesByAggregate(publisher.sent()).values())
                .hasSize(20)
                .allSatisfy(places -> assertThat(places).isSorted());
    }

    @Test
    void manyAreChangedInBatchesByTheirNumbers() {
        die(MANY, 100);
        DATABASE.execute("update outbox_events set event_type = 'order.kept' where seq % 6 = 0");
        DeadLetterFilter most = DeadLetterFilter.ALL.withEventType("order.changed");

        assertThat(deadLetters.retryAll(most)).isEqualTo(MANY * 5 / 6);

        // Of the transactions, each began where the one before had ended.
        assertThat(DATABASE.column("select count(*) || ' up to ' || max(seq) from outbox_events where dead_at is null"
                        + " group by xmin::text order by max(seq)"))
                .containsExactly("5000 up to 5999", "5000 up to 11999");
        assertThat(deadLetters.discardAll(DeadLetterFilter.ALL, "old")).isEqualTo(MANY / 6);
        assertThat(DATABASE.count("last_error = 'discarded: old' and event_type = 'order.kept'"))
                .isEqualTo(MANY / 6);
    }

    @Test
    void oneThatIsRetriedByManyAtOnceIsSentOnce() throws Exception {
        for (int round = 0; round < 10; round++) {
            UUID id = DATABASE.publish("1", "order.created");
            DATABASE.execute("update outbox_events set dead_at = now() where processed_at is null");

            List<Boolean> answers = atOnce(Collections.nCopies(8, () -> deadLetters.retry(id)));

            assertThat(answers).containsOnlyOnce(true);
            runOnce(DATABASE.dataSource(), publisher, quick());
        }
        assertThat(publisher.sent()).extracting(OutboxEvent::id).hasSize(10).doesNotHaveDuplicates();
    }

    @Test
    void oneThatIsRetriedAndDiscardedAtOnceIsOneOfBoth() throws Exception {
        for (int round = 0; round < 20; round++) {
            UUID id = DATABASE.publish("1", "order.created");
            DATABASE.execute("update outbox_events set dead_at = now() where processed_at is null");

            List<Boolean> answers =
                    atOnce(List.of(() -> deadLetters.retry(id), () -> deadLetters.discard(id, "not wanted")));

            assertThat(answers).containsOnlyOnce(true);
            assertThat(runOnce(DATABASE.dataSource(), publisher, quick()).published())
                    .isEqualTo(answers.get(0) ? 1 : 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
    void operatorsAtOnceChangeEachOnceAndDoNotDeadlock(String isolation) throws Exception {
        DataSource dataSource = DATABASE.asRoleWith("default_transaction_isolation", isolation);
        DeadLetters others = DeadLetters.of(dataSource);
        die(MANY, 100);

        List<Integer> changed = atOnce(List.of(
                () -> others.retryAll(),
                () -> others.retryAll(DeadLetterFilter.ALL.withAggregateType("order")),
                () -> others.discardAll(DeadLetterFilter.ALL, "not wanted")));

        assertThat(changed.stream().mapToInt(Integer::intValue).sum()).isEqualTo(MANY);
        assertThat(DATABASE.count("dead_at is not null")).isZero();
    }

    private static void die(int events, int orders) {
        DATABASE.insertEvents(events, orders);
        DATABASE.execute("update outbox_events set dead_at = now(), attempts = 3, last_error = 'no such queue'");
    }

    private static <T> List<T> atOnce(List<Callable<T>> calls) throws Exception {
        CyclicBarrier start = new CyclicBarrier(calls.size());
        List<CompletableFuture<T>> results = new ArrayList<>();
        for (Callable<T> call : calls) {
            CompletableFuture<T> result = new CompletableFuture<>();
            results.add(result);
            new Thread(() -> {
                        try {
                            start.await();
                            result.complete(call.call());
                        } catch (Exception e) {
                            result.completeExceptionally(e);
                        }
                    })
                    .start();
        }
        return results.stream().map(CompletableFuture::join).toList();
    }
}
