package dev.typedoutbox.benchmark.peers.gruelbox;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that make the scheduled calls. As the documentation of {@code ExecutorSubmitter} has it, their queue is bounded
 * and large (10,000 and more), and a full one blocks whoever submits, who is then the loop that flushes: dropping entries
 * instead would leave them alone for the two minutes until their next attempt.
 */
final class Workers {
    private static final int QUEUE_CAPACITY = 16_384;

    private Workers() {}

    static ThreadPoolExecutor start(int threads) {
        return new ThreadPoolExecutor(
                threads,
                threads,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(QUEUE_CAPACITY),
                Workers::blockUntilThereIsRoom);
    }

    static void stop(ThreadPoolExecutor workers) throws InterruptedException {
        workers.getQueue().clear();
        workers.shutdown();
        if (!workers.awaitTermination(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException("workers must end within 30 s");
        }
    }

    private static void blockUntilThereIsRoom(Runnable task, ThreadPoolExecutor workers) {
        if (workers.isShutdown()) {
            return;
        }
        try {
            workers.getQueue().put(task);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RejectedExecutionException(e);
        }
    }
}
