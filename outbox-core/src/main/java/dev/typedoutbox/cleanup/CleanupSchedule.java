package dev.typedoutbox.cleanup;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread of a cleanup: run after run, until it is closed, and no error ends it. */
final class CleanupSchedule implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Cleanup.class);
    private static final AtomicInteger THREAD_NUMBER = new AtomicInteger();
    private static final Duration FIRST_BACKOFF = Duration.ofSeconds(1);
    private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(1);
    private static final Duration END_OF_BATCH = Duration.ofSeconds(5);
    private static final Duration AFTER_ABORT = Duration.ofSeconds(2);

    private final Duration every;
    private final CleanupWork work;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;
    private Duration backoff = Duration.ZERO;

    private CleanupSchedule(CleanupSettings settings) {
        this.every = settings.every();
        this.work = new CleanupWork(settings);
        this.thread = new Thread(this, "outbox-cleanup-" + THREAD_NUMBER.incrementAndGet());
        thread.setDaemon(true);
    }

    static CleanupSchedule start(CleanupSettings settings) {
        CleanupSchedule schedule = new CleanupSchedule(settings);
        schedule.thread.start();
        return schedule;
    }

    @Override
    public void run() {
        // The first at once: a process that is restarted more often than a run is due would never do one.
        Duration pause = Duration.ZERO;
        while (!isClosedAfter(pause)) {
            pause = runOnce();
        }
    }

    /** Answers how long to wait for the next run. */
    private Duration runOnce() {
        try {
            done(work.run());
            return every;
        } catch (RuntimeException | Error e) {
            // Not even an OutOfMemoryError may end the thread unseen.
            return failed(e);
        }
    }

    private void done(CleanupResult result) {
        if (!backoff.isZero()) {
            LOG.info("cleanup works again");
        }
        backoff = Duration.ZERO;
        if (!result.isEmpty()) {
            LOG.atInfo()
                    .addKeyValue("published_events", result.publishedEvents())
                    .addKeyValue("processed_events", result.processedEvents())
                    .log("cleanup deleted old rows");
        }
    }

    private Duration failed(Throwable reason) {
        if (backoff.isZero() && !isClosedAfter(Duration.ZERO)) {
            LOG.warn("cleanup fails and will be tried again", reason);
        } else {
            LOG.debug("cleanup failed again", reason);
        }
        Duration next = backoff.isZero() ? FIRST_BACKOFF : backoff.multipliedBy(2);
        backoff = shorter(next, shorter(LONGEST_BACKOFF, every));
        return backoff;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private boolean isClosedAfter(Duration time) {
        try {
            return closed.await(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            LOG.debug("the cleanup was interrupted", e);
            return closed.getCount() == 0;
        }
    }

    void close() {
        closed.countDown();
        thread.interrupt();
        if (!isEndedAfter(END_OF_BATCH)) {
            work.abort();
            isEndedAfter(AFTER_ABORT);
        }
    }

    private boolean isEndedAfter(Duration time) {
        try {
            thread.join(time.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}
