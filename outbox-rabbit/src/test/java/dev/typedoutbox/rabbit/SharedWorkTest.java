package dev.typedoutbox.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.Applied;
import dev.typedoutbox.consumer.ApplyOutcome;
import dev.typedoutbox.consumer.EventConsumer;
import dev.typedoutbox.rabbit.support.Events;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SharedWorkTest {
    /** One for each of three threads. */
    private final List<OutboxEvent> events = List.of(Events.of("a", 1), Events.of("b", 1), Events.of("c", 1));

    private final ExecutorService twoThreads = Executors.newFixedThreadPool(2);

    @AfterEach
    void end() {
        twoThreads.shutdownNow();
    }

    @Test
    void nothingRunsAnyMoreWhenAPartCouldNotBeHandedOver() {
        ExecutorService oneThread = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new SynchronousQueue<>());
        AtomicInteger running = new AtomicInteger();
        CyclicBarrier bothRun = new CyclicBarrier(2);
        EventConsumer consumer = event -> {
            running.incrementAndGet();
            try {
                bothRun.await(5, TimeUnit.SECONDS);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            } finally {
                running.decrementAndGet();
            }
            return Applied.APPLIED;
        };
        try {
            assertThatThrownBy(() -> new SharedWork(consumer, 3, oneThread).applyAll(events))
                    .isInstanceOf(RejectedExecutionException.class);
            assertThat(running).hasValue(0);
        } finally {
            oneThread.shutdownNow();
        }
    }

    /** As while the consumer is being closed. */
    @Test
    void partThatNoThreadWillTakeIsNotWaitedFor() {
        ConsumerThreads threads = new ConsumerThreads(1);
        CountDownLatch first = new CountDownLatch(1);
        EventConsumer consumer = new EventConsumer() {
            @Override
            public Applied apply(OutboxEvent event) {
                throw new AssertionError("not called");
            }

            @Override
            public List<ApplyOutcome> applyAll(List<OutboxEvent> part) {
                if (Thread.currentThread().getName().contains("worker")) {
                    first.countDown();
                    awaitInterrupt();
                } else {
                    await(first);
                    threads.interrupt();
                }
                return List.of(ApplyOutcome.of(part.get(0), Applied.APPLIED));
            }
        };
        CompletableFuture<List<ApplyOutcome>> applied = new CompletableFuture<>();
        Thread caller = new Thread(
                () -> {
                    try {
                        applied.complete(new SharedWork(consumer, 3, threads.workers()).applyAll(events));
                    } catch (RuntimeException e) {
                        applied.completeExceptionally(e);
                    }
                },
                "caller");
        caller.setDaemon(true);
        caller.start();
        assertThatThrownBy(() -> applied.orTimeout(5, TimeUnit.SECONDS).join())
                .isInstanceOf(CancellationException.class);
    }

    @Test
    void failureOfAPartIsThrownAsItIsAndThoseOfOthersWithIt() {
        EventConsumer consumer = new Failing();
        assertThatThrownBy(() -> new SharedWork(consumer, 3, twoThreads).applyAll(events))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("no database for ")
                .hasNoCause()
                .satisfies(e -> assertThat(e.getSuppressed())
                        .hasSize(2)
                        .allSatisfy(other -> assertThat(other).hasMessageStartingWith("no database for ")));
    }

    @Test
    void failureOfTheOnlyPartIsThrownAsItIs() {
        assertThatThrownBy(() -> new SharedWork(new Failing(), 3, twoThreads).applyAll(events.subList(0, 1)))
                .hasMessage("no database for a")
                .hasNoCause();
    }

    @Test
    void asManyOutcomesAsEventsMustComeFromEachPart() {
        EventConsumer consumer = new EventConsumer() {
            @Override
            public Applied apply(OutboxEvent event) {
                throw new AssertionError("not called");
            }

            @Override
            public List<ApplyOutcome> applyAll(List<OutboxEvent> part) {
                return List.of();
            }
        };
        for (int size : new int[] {1, 3}) {
            assertThatThrownBy(() -> new SharedWork(consumer, 3, twoThreads).applyAll(events.subList(0, size)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("applyAll must return as many outcomes as it got events, 1 (was 0)");
        }
    }

    private static void awaitInterrupt() {
        await(new CountDownLatch(1));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class Failing implements EventConsumer {
        @Override
        public Applied apply(OutboxEvent event) {
            throw new AssertionError("not called");
        }

        @Override
        public List<ApplyOutcome> applyAll(List<OutboxEvent> part) {
            throw new IllegalStateException("no database for " + part.get(0).aggregateId());
        }
    }
}
