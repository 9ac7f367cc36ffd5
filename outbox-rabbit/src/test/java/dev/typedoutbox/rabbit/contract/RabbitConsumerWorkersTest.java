package dev.typedoutbox.rabbit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.Applied;
import dev.typedoutbox.consumer.ApplyOutcome;
import dev.typedoutbox.consumer.EventConsumer;
import dev.typedoutbox.rabbit.RabbitConsumer;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.rabbit.support.Events;
import dev.typedoutbox.relay.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several threads that share a batch. */
class RabbitConsumerWorkersTest {
    private static final Duration ALL_HAVE_COME = Duration.ofSeconds(5);

    private final Broker broker = Broker.shared();
    private final String exchange = broker.exchange();
    private final String queue = broker.queue(exchange, "#");
    private final List<OutboxEvent> applied = new CopyOnWriteArrayList<>();

    @Test
    void aggregatesAreAppliedAtTheSameTime() {
        CyclicBarrier both = new CyclicBarrier(2);
        broker.publish(exchange, List.of(Events.of("a", 1), Events.of("b", 1)));
        EventConsumer consumer = event -> {
            meet(both);
            return apply(event);
        };
        try (RabbitConsumer receiver = started(2, consumer)) {
            awaitApplied(2);
        }
        assertThat(broker.take(queue)).isEmpty();
    }

    @Test
    void eachAggregateKeepsItsOrder() {
        List<OutboxEvent> events = IntStream.range(0, 1_000)
                .mapToObj(i -> Events.of("a" + i % 20, i))
                .toList();
        broker.publish(exchange, events);
        try (RabbitConsumer receiver = started(100, this::apply)) {
            awaitApplied(1_000);
        }
        assertThat(byAggregate(applied)).isEqualTo(byAggregate(events));
    }

    @Test
    void eventThatFailsHoldsBackItsAggregateAndNothingElse() {
        List<OutboxEvent> events = List.of(Events.of("a", 1), Events.of("b", 1), Events.of("a", 2), Events.of("b", 2));
        broker.publish(exchange, events);
        AtomicInteger failures = new AtomicInteger(3);
        EventConsumer consumer = event -> {
            if (event.equals(events.get(0)) && failures.getAndDecrement() > 0) {
                throw new IllegalStateException("not yet");
            }
            return apply(event);
        };
        try (RabbitConsumer receiver = started(4, consumer)) {
            awaitApplied(4);
        }
        assertThat(applied).containsExactly(events.get(1), events.get(3), events.get(0), events.get(2));
        assertThat(broker.take(queue)).isEmpty();
    }

    /** What one thread has done comes out as duplicates then. */
    @Test
    void batchIsTriedAgainWhenNothingCanBeSaidOfAPart() {
        List<OutboxEvent> events = List.of(Events.of("a", 1), Events.of("b", 1));
        broker.publish(exchange, events);
        AtomicInteger outages = new AtomicInteger(2);
        EventConsumer consumer = new EventConsumer() {
            @Override
            public Applied apply(OutboxEvent event) {
                boolean isNew = !applied.contains(event);
                applied.add(event);
                return isNew ? Applied.APPLIED : Applied.DUPLICATE;
            }

            @Override
            public List<ApplyOutcome> applyAll(List<OutboxEvent> part) {
                if (part.contains(events.get(1)) && outages.getAndDecrement() > 0) {
                    throw new IllegalStateException("no database");
                }
                return EventConsumer.super.applyAll(part);
            }
        };
        try (RabbitConsumer receiver = started(2, consumer)) {
            await().until(() -> applied.contains(events.get(1)));
        }
        assertThat(applied).filteredOn(events.get(0)::equals).hasSize(3);
        assertThat(broker.take(queue)).isEmpty();
    }

    @Test
    void closeInterruptsAllOfThem() throws InterruptedException {
        broker.publish(exchange, List.of(Events.of("a", 1), Events.of("b", 1)));
        CountDownLatch handling = new CountDownLatch(2);
        CountDownLatch interrupted = new CountDownLatch(2);
        EventConsumer consumer = event -> {
            handling.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                Thread.currentThread().interrupt();
            }
            throw new IllegalStateException("interrupted");
        };
        RabbitConsumer receiver = RabbitConsumer.builder(broker.factory(), queue, consumer)
                .batchSize(2)
                .batchWait(ALL_HAVE_COME)
                .closeTimeout(Duration.ofMillis(100))
                .build();
        receiver.start();
        assertThat(handling.await(10, TimeUnit.SECONDS)).isTrue();
        receiver.close();
        assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
        await().untilAsserted(() -> assertThat(broker.ready(queue)).isEqualTo(2));
    }

    /** Of two aggregates one is handled on the thread that receives, and the other on one of the pool. */
    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void handlerOnAnyThreadMayCloseItsConsumer(String closing) throws Exception {
        broker.publish(exchange, List.of(Events.of("a", 1), Events.of("b", 1)));
        CompletableFuture<RabbitConsumer> self = new CompletableFuture<>();
        CompletableFuture<Duration> took = new CompletableFuture<>();
        EventConsumer consumer = event -> {
            if (event.aggregateId().equals(closing)) {
                long start = System.nanoTime();
                self.join().close();
                took.complete(Duration.ofNanos(System.nanoTime() - start));
            }
            return apply(event);
        };
        self.complete(started(2, consumer));
        assertThat(took.get(20, TimeUnit.SECONDS)).isLessThan(Duration.ofSeconds(2));
        await().until(() -> broker.run(channel -> channel.consumerCount(queue)) == 0);
        assertThat(applied).hasSize(2);
        assertThat(broker.take(queue)).isEmpty();
        self.join().close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void handlerMayCloseAConsumerThatIsBeingClosed(String closing) throws Exception {
        broker.publish(exchange, List.of(Events.of("a", 1), Events.of("b", 1)));
        CompletableFuture<RabbitConsumer> self = new CompletableFuture<>();
        CountDownLatch handling = new CountDownLatch(2);
        CountDownLatch go = new CountDownLatch(1);
        EventConsumer consumer = event -> {
            handling.countDown();
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            if (event.aggregateId().equals(closing)) {
                self.join().close();
            }
            return apply(event);
        };
        RabbitConsumer receiver = started(2, consumer);
        self.complete(receiver);
        assertThat(handling.await(10, TimeUnit.SECONDS)).isTrue();
        Thread closer = new Thread(receiver::close, "closer");
        closer.start();
        await().until(() -> closer.getState() == Thread.State.TIMED_WAITING);
        long start = System.nanoTime();
        go.countDown();
        closer.join();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
        assertThat(applied).hasSize(2);
        assertThat(broker.take(queue)).isEmpty();
    }

    /** With batches of so many events, however slowly they come. */
    private RabbitConsumer started(int batchSize, EventConsumer consumer) {
        RabbitConsumer receiver = RabbitConsumer.builder(broker.factory(), queue, consumer)
                .workers(2)
                .batchSize(batchSize)
                .batchWait(ALL_HAVE_COME)
                .retryPolicy(new RetryPolicy(8, Duration.ofMillis(20), Duration.ofMillis(20)))
                .build();
        receiver.start();
        return receiver;
    }

    private Applied apply(OutboxEvent event) {
        applied.add(event);
        return Applied.APPLIED;
    }

    private void awaitApplied(int events) {
        await().until(() -> applied.size() == events);
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, List<OutboxEvent>> byAggregate(List<OutboxEvent> events) {
        return events.stream().collect(Collectors.groupingBy(OutboxEvent::aggregateId));
    }
}
