package dev.typedoutbox.rabbit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads of a consumer: one for each channel, and those that share its batches. All are daemons. */
final class ConsumerThreads {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final List<Thread> receiving = new ArrayList<>();
    private final Set<Thread> all = ConcurrentHashMap.newKeySet();
    private final ExecutorService workers;

    /**
     * @param workers how many threads work beside those of the channels
     */
    ConsumerThreads(int workers) {
        ThreadFactory factory = task -> daemon(task, "outbox-consumer-worker-");
        this.workers = Executors.newFixedThreadPool(Math.max(1, workers), factory);
    }

    ExecutorService workers() {
        return workers;
    }

    void start(List<? extends Runnable> subscriptions) {
        subscriptions.forEach(subscription -> receiving.add(daemon(subscription, "outbox-consumer-")));
        receiving.forEach(Thread::start);
    }

    boolean areStarted() {
        return !receiving.isEmpty();
    }

    /** Whether the calling thread is one of these, as in a handler. */
    boolean areCalling() {
        return all.contains(Thread.currentThread());
    }

    /** Waits for the subscriptions, which wait for the workers; false if they have not ended by then. */
    boolean awaitEnd(Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        boolean ended = true;
        for (Thread thread : receiving) {
            TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, end - System.nanoTime()));
            ended &= !thread.isAlive();
        }
        return ended;
    }

    void interrupt() {
        receiving.forEach(Thread::interrupt);
        // Nobody takes what waits in the queue, and who handed it over would wait for it without end.
        for (Runnable task : workers.shutdownNow()) {
            if (task instanceof Future<?> future) {
                future.cancel(false);
            }
        }
    }

    /** Lets the workers end when they have done what they have. */
    void shutDown() {
        workers.shutdown();
    }

    private Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name + NUMBER.incrementAndGet());
        thread.setDaemon(true);
        all.add(thread);
        return thread;
    }
}
