package dev.typedoutbox.rabbit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.Applied;
import dev.typedoutbox.consumer.ApplyOutcome;
import dev.typedoutbox.consumer.EventConsumer;
import dev.typedoutbox.rabbit.RabbitConsumer;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.rabbit.support.Events;
import dev.typedoutbox.relay.RetryPolicy;
import dev.typedoutbox.servers.AmqpServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class RabbitConsumerBatchTest {
    private final Broker broker = Broker.shared();
    private final String exchange = broker.exchange();
    private final String queue = broker.queue(exchange, "#");
    private final List<List<OutboxEvent>> batches = new CopyOnWriteArrayList<>();

    @Test
    void whatWaitsIsHandedOverInBatchesOfAtMostTheirSize() {
        List<OutboxEvent> events = Events.many(500, "order.created");
        broker.publish(exchange, events);
        try (RabbitConsumer consumer = started(builder(new Recorder()).batchSize(40))) {
            await().until(() -> applied().size() == 500);
        }
        assertThat(applied()).isEqualTo(events);
        assertThat(batches).allMatch(batch -> batch.size() <= 40).anyMatch(batch -> batch.size() == 40);
        assertThat(broker.take(queue)).isEmpty();
    }

    @Test
    void batchThatIsNotFullWaitsForMoreUntilItIs() {
        try (RabbitConsumer consumer =
                started(builder(new Recorder()).batchSize(3).batchWait(Duration.ofSeconds(10)))) {
            for (int i = 0; i < 3; i++) {
                broker.publish(exchange, Events.many(1, "order.created"));
            }
            await().until(() -> applied().size() == 3);
        }
        assertThat(batches).hasSize(1);
    }

    @Test
    void batchThatIsNotFullGoesWhenItsTimeIsUp() {
        broker.publish(exchange, Events.many(1, "order.created"));
        try (RabbitConsumer consumer =
                started(builder(new Recorder()).batchSize(3).batchWait(Duration.ofMillis(50)))) {
            await().until(() -> applied().size() == 1);
        }
    }

    @Test
    void eventThatFailsHoldsBackItsAggregateAndNothingElse() {
        List<OutboxEvent> events =
                List.of(Events.of("a", 1), Events.of("b", 1), Events.of("a", 2), Events.of("b", 2), Events.of("c", 1));
        broker.publish(exchange, events);
        AtomicInteger failures = new AtomicInteger(3);
        Recorder consumer = new Recorder(event -> {
            if (event.equals(events.get(0)) && failures.getAndDecrement() > 0) {
                throw new IllegalStateException("not yet");
            }
        });
        try (RabbitConsumer receiver = started(builder(consumer))) {
            await().until(() -> consumer.done.size() == 5);
        }
        assertThat(consumer.done)
                .containsExactly(events.get(1), events.get(3), events.get(4), events.get(0), events.get(2));
        assertThat(broker.take(queue)).isEmpty();
    }

    /** Those in front of and behind a failing event are acknowledged, and it is not. */
    @Test
    void onlyWhatWasNotAppliedIsLeftInTheQueue() {
        List<OutboxEvent> events =
                List.of(Events.of("a", 1), Events.of("b", 1), Events.of("c", 1), Events.of("b", 2), Events.of("d", 1));
        broker.publish(exchange, events);
        Recorder consumer = new Recorder(event -> {
            if (event.aggregateId().equals("b")) {
                throw new IllegalStateException("never");
            }
        });
        try (RabbitConsumer receiver = started(builder(consumer))) {
            await().until(() -> consumer.done.size() == 3);
        }
        await().untilAsserted(() -> assertThat(broker.ready(queue)).isEqualTo(2));
        assertThat(broker.takeIds(queue)).isEqualTo(Events.ids(List.of(events.get(1), events.get(3))));
    }

    /** What comes for an aggregate while an event of it waits goes behind that event. */
    @Test
    void eventThatComesLaterGoesBehindThoseHeldBack() {
        List<OutboxEvent> events = List.of(Events.of("a", 1), Events.of("a", 2), Events.of("a", 3));
        AtomicInteger tries = new AtomicInteger();
        Recorder consumer = new Recorder(event -> {
            if (event.seq() == 1 && tries.incrementAndGet() < 5) {
                throw new IllegalStateException("not yet");
            }
        });
        try (RabbitConsumer receiver = started(builder(consumer))) {
            broker.publish(exchange, events.subList(0, 2));
            await().until(() -> tries.get() > 0);
            broker.publish(exchange, events.subList(2, 3));
            await().until(() -> consumer.done.size() == 3);
        }
        assertThat(consumer.done).isEqualTo(events);
    }

    @Test
    void severalChannelsWorkAtTheSameTime() {
        CyclicBarrier all = new CyclicBarrier(4);
        Recorder consumer = new Recorder(event -> {
            try {
                all.await(10, TimeUnit.SECONDS);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        broker.publish(exchange, List.of(Events.of("a", 1), Events.of("b", 1), Events.of("c", 1), Events.of("d", 1)));
        try (RabbitConsumer receiver =
                started(builder(consumer).channels(4).batchSize(1).prefetch(1))) {
            await().until(() -> consumer.done.size() == 4);
        }
        assertThat(broker.take(queue)).isEmpty();
    }

    /** An outage of the database is not the events' fault, and tries at it are not counted. */
    @Test
    void nothingIsGivenUpWhileNothingCanBeSaid() {
        AtomicInteger outages = new AtomicInteger(5);
        Recorder consumer = new Recorder() {
            @Override
            public List<ApplyOutcome> applyAll(List<OutboxEvent> events) {
                if (outages.getAndDecrement() > 0) {
                    throw new IllegalStateException("no database");
                }
                return super.applyAll(events);
            }
        };
        List<OutboxEvent> events = Events.many(10, "order.created");
        broker.publish(exchange, events);
        RetryPolicy once = new RetryPolicy(1, Duration.ofMillis(10), Duration.ofMillis(10));
        try (RabbitConsumer receiver =
                started(builder(consumer).retryPolicy(once).rejectDeadLetters())) {
            await().until(() -> consumer.done.size() == 10);
        }
        assertThat(consumer.done).isEqualTo(events);
    }

    /** One of them may have ended the processes that had it, and would end the others' transaction with it. */
    @Test
    void eventsThatCameBackSeveralTimesAreHandledAlone() {
        assumeTrue(broker.server().isRabbitMq(), AmqpServer.HOW_TO_GET_RABBITMQ);
        String quorum = broker.queue(exchange, "again", Map.of("x-queue-type", "quorum"));
        List<OutboxEvent> events = Events.many(3, "again");
        broker.publish(exchange, events);
        RetryPolicy never = new RetryPolicy(8, Duration.ofDays(1), Duration.ofDays(1));
        for (int i = 0; i < 2; i++) {
            AtomicInteger failures = new AtomicInteger();
            Recorder failing = new Recorder(event -> {
                failures.incrementAndGet();
                throw new IllegalStateException("not yet");
            });
            try (RabbitConsumer consumer = started(
                    RabbitConsumer.builder(broker.factory(), quorum, failing).retryPolicy(never))) {
                await().until(() -> failures.get() > 0);
            }
        }
        batches.clear();
        AtomicInteger failures = new AtomicInteger(2);
        Recorder recovering = new Recorder(event -> {
            if (failures.getAndDecrement() > 0) {
                throw new IllegalStateException("not yet");
            }
        });
        RetryPolicy soon = new RetryPolicy(8, Duration.ofMillis(20), Duration.ofMillis(20));
        try (RabbitConsumer consumer = started(
                RabbitConsumer.builder(broker.factory(), quorum, recovering).retryPolicy(soon))) {
            await().until(() -> recovering.done.size() == 3);
        }
        assertThat(batches).allMatch(batch -> batch.size() == 1);
        assertThat(recovering.done).isEqualTo(events);
    }

    private RabbitConsumer.Builder builder(EventConsumer consumer) {
        return RabbitConsumer.builder(broker.factory(), queue, consumer)
                .workers(1)
                .retryPolicy(new RetryPolicy(8, Duration.ofMillis(20), Duration.ofMillis(20)));
    }

    private static RabbitConsumer started(RabbitConsumer.Builder builder) {
        RabbitConsumer consumer = builder.build();
        consumer.start();
        return consumer;
    }

    private List<OutboxEvent> applied() {
        return batches.stream().flatMap(List::stream).toList();
    }

    /** Notes what it gets, and what of it did not fail. */
    private class Recorder implements EventConsumer {
        private final List<OutboxEvent> done = new CopyOnWriteArrayList<>();
        private final Consumer<OutboxEvent> handler;

        Recorder() {
            this(event -> {});
        }

        Recorder(Consumer<OutboxEvent> handler) {
            this.handler = handler;
        }

        @Override
        public Applied apply(OutboxEvent event) {
            handler.accept(event);
            done.add(event);
            return Applied.APPLIED;
        }

        @Override
        public List<ApplyOutcome> applyAll(List<OutboxEvent> events) {
            batches.add(List.copyOf(events));
            return EventConsumer.super.applyAll(events);
        }
    }
}
