package dev.typedoutbox.benchmark.peers.modulith;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.core.task.AsyncTaskExecutor;

/**
 * The threads on which listeners run after the commit: a fixed number with an unbounded queue, like the executor of Spring
 * Boot, but one that can be stopped and started again. While it is stopped it drops what it gets, and the publications
 * stay incomplete.
 */
final class Workers implements AsyncTaskExecutor {
    private final int threads;
    private volatile @Nullable ThreadPoolExecutor pool;

    Workers(int threads) {
        this.threads = threads;
    }

    void start() {
        pool = new ThreadPoolExecutor(threads, threads, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
    }

    void stop() throws InterruptedException {
        ThreadPoolExecutor current = pool;
        pool = null;
        if (current == null) {
            return;
        }
        current.getQueue().clear();
        current.shutdown();
        if (!current.awaitTermination(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException("workers must end within 30 s");
        }
    }

    @Override
    public void execute(Runnable task) {
        ThreadPoolExecutor current = pool;
        if (current != null) {
            current.execute(task);
        }
    }
}
