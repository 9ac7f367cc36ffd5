package dev.typedoutbox.benchmark.contender;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/** Writes a {@link Load} through a contender, and notes when each transaction had committed. */
final class Emitter {
    private final Contender contender;
    private final Load load;
    private final long[] committed;

    Emitter(Contender contender, Load load) {
        if (load.events().aggregates() % load.threads() != 0) {
            throw new IllegalArgumentException("aggregates must be a multiple of threads (was "
                    + load.events().aggregates() + " aggregates, " + load.threads() + " threads)");
        }
        this.contender = contender;
        this.load = load;
        this.committed = new long[(int) load.events().events()];
    }

    /** The {@link System#nanoTime()} at which the commit of each event returned, by the event's number. */
    long[] run() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(load.threads());
        try {
            long start = System.nanoTime();
            List<Future<?>> writers = new ArrayList<>();
            for (int i = 0; i < load.threads(); i++) {
                int thread = i;
                writers.add(threads.submit(() -> {
                    write(thread, start);
                    return null;
                }));
            }
            for (Future<?> writer : writers) {
                writer.get();
            }
            return committed;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } finally {
            threads.shutdownNow();
        }
    }

    private void write(int thread, long start) throws Exception {
        List<Event> transaction = new ArrayList<>();
        for (int number = thread; number < committed.length; number += load.threads()) {
            transaction.add(load.events().event(number));
            if (transaction.size() == load.perTransaction() || number + load.threads() >= committed.length) {
                awaitTurn(number, start);
                contender.write(transaction);
                long now = System.nanoTime();
                transaction.forEach(event -> committed[(int) event.number()] = now);
                transaction.clear();
            }
        }
    }

    private void awaitTurn(long number, long start) {
        if (load.perSecond() > 0) {
            long turn = start + (long) (number * 1e9 / load.perSecond());
            for (long rest = turn - System.nanoTime(); rest > 0; rest = turn - System.nanoTime()) {
                LockSupport.parkNanos(rest);
            }
        }
    }
}
