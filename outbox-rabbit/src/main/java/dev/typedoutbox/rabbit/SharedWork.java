package dev.typedoutbox.rabbit;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.Applied;
import dev.typedoutbox.consumer.ApplyOutcome;
import dev.typedoutbox.consumer.EventConsumer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Applies the events of a batch on several threads at once. Those of an aggregate are one thread's, in their order, and the
 * next batch waits for all of them; so no aggregate's order is lost.
 */
final class SharedWork implements EventConsumer {
    private final EventConsumer consumer;
    private final int shares;
    private final ExecutorService threads;

    /**
     * @param shares how many threads work on a batch, the caller's among them
     * @param threads where the others come from
     */
    SharedWork(EventConsumer consumer, int shares, ExecutorService threads) {
        this.consumer = consumer;
        this.shares = shares;
        this.threads = threads;
    }

    @Override
    public Applied apply(OutboxEvent event) {
        return consumer.apply(event);
    }

    @Override
    public List<ApplyOutcome> applyAll(List<OutboxEvent> events) {
        List<List<Integer>> parts = parts(events);
        if (parts.size() == 1) {
            return applyPart(events, parts.get(0));
        }
        List<Future<List<ApplyOutcome>>> others = parts.subList(1, parts.size()).stream()
                .map(part -> handOver(events, part))
                .toList();
        // All have to end before anything is said: what is tried again must not run twice at once.
        List<Result> results = new ArrayList<>();
        results.add(Result.of(() -> applyPart(events, parts.get(0))));
        others.forEach(other -> results.add(Result.of(() -> await(other))));
        throwFailures(results);
        return merge(events.size(), parts, results);
    }

    /** A part that no thread takes has failed, while others may be under way already. */
    private Future<List<ApplyOutcome>> handOver(List<OutboxEvent> events, List<Integer> part) {
        try {
            return threads.submit(() -> applyPart(events, part));
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** The places of the events that each thread has to do; empty parts are left out. */
    private List<List<Integer>> parts(List<OutboxEvent> events) {
        List<List<Integer>> parts = new ArrayList<>();
        for (int i = 0; i < shares; i++) {
            parts.add(new ArrayList<>());
        }
        for (int i = 0; i < events.size(); i++) {
            OutboxEvent event = events.get(i);
            int key = event.aggregateId().isEmpty()
                    ? event.hashCode()
                    : 31 * event.aggregateType().hashCode()
                            + event.aggregateId().hashCode();
            parts.get(Math.floorMod(key, shares)).add(i);
        }
        parts.removeIf(List::isEmpty);
        return parts;
    }

    private List<ApplyOutcome> applyPart(List<OutboxEvent> events, List<Integer> part) {
        List<ApplyOutcome> outcomes =
                consumer.applyAll(part.stream().map(events::get).toList());
        if (outcomes.size() != part.size()) {
            throw new IllegalStateException("applyAll must return as many outcomes as it got events, " + part.size()
                    + " (was " + outcomes.size() + ")");
        }
        return outcomes;
    }

    /** Throws the first failure as it is, with the others. */
    private static void throwFailures(List<Result> results) {
        Throwable first = null;
        for (Result result : results) {
            Throwable failure = result.failure();
            if (first == null) {
                first = failure;
            } else if (failure != null && failure != first) {
                first.addSuppressed(failure);
            }
        }
        if (first instanceof RuntimeException e) {
            throw e;
        }
        if (first instanceof Error e) {
            throw e;
        }
        if (first != null) {
            throw new IllegalStateException("events could not be applied", first);
        }
    }

    private static List<ApplyOutcome> merge(int size, List<List<Integer>> parts, List<Result> results) {
        ApplyOutcome[] merged = new ApplyOutcome[size];
        for (int i = 0; i < parts.size(); i++) {
            List<ApplyOutcome> outcomes = Objects.requireNonNull(results.get(i).outcomes());
            for (int j = 0; j < outcomes.size(); j++) {
                merged[parts.get(i).get(j)] = outcomes.get(j);
            }
        }
        return List.of(merged);
    }

    /** An interruption is meant for the handlers, whose threads {@link RabbitConsumer#close} interrupts as well. */
    private static List<ApplyOutcome> await(Future<List<ApplyOutcome>> future) throws ExecutionException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** What a part came to: outcomes, or a failure of which nothing can be said. */
    private record Result(
            @Nullable List<ApplyOutcome> outcomes, @Nullable Throwable failure) {
        interface Work {
            List<ApplyOutcome> run() throws ExecutionException;
        }

        static Result of(Work work) {
            try {
                return new Result(work.run(), null);
            } catch (ExecutionException e) {
                return new Result(null, Objects.requireNonNullElse(e.getCause(), e));
            } catch (Throwable e) {
                return new Result(null, e);
            }
        }
    }
}
