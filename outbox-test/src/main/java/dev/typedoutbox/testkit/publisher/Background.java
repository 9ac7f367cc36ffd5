package dev.typedoutbox.testkit.publisher;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Calls on threads of their own. */
final class Background {
    private Background() {}

    static <T> CompletableFuture<T> call(Callable<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        start(() -> complete(result, work));
        return result;
    }

    static Set<Thread> nonDaemonThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.isDaemon())
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Thread start(Runnable work) {
        Thread thread = new Thread(work, "conformance");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static <T> void complete(CompletableFuture<T> result, Callable<T> work) {
        try {
            result.complete(work.call());
        } catch (Throwable e) {
            result.completeExceptionally(e);
        }
    }

    /** A call that can be interrupted. */
    static final class Interruptible<T> {
        private final CompletableFuture<T> result = new CompletableFuture<>();
        private final CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        private final Thread thread;

        Interruptible(Callable<T> work) {
            this.thread = start(() -> {
                complete(result, work);
                interrupted.complete(Thread.currentThread().isInterrupted());
            });
        }

        void interrupt() {
            thread.interrupt();
        }

        T result(Duration timeout) throws Exception {
            return result.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        }

        boolean leftInterrupted() {
            return interrupted.join();
        }
    }
}
