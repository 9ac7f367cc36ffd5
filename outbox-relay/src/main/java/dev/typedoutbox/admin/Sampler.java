package dev.typedoutbox.admin;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes a reading each second for all who watch, and none while nobody does. */
final class Sampler implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sampler.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final Readings readings;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Thread thread = new Thread(this::run, "outbox-admin-sampler");
    private Sample last = new Sample(0, null, true);
    private int watchers;
    private boolean closed;

    Sampler(Readings readings) {
        this.readings = readings;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Readings are taken until this is closed. */
    Watch watch() {
        change(1);
        return () -> change(-1);
    }

    /**
     * Waits for a sample other than the given one. Where none comes in time the database has not answered; once the
     * sampler is closed, none ever comes.
     */
    Sample next(long seen) throws InterruptedException {
        long left = PATIENCE.toNanos();
        lock.lockInterruptibly();
        try {
            while (last.version == seen && !closed && left > 0) {
                left = changed.awaitNanos(left);
            }
            return last.version == seen ? new Sample(seen, null, false) : last;
        } finally {
            lock.unlock();
        }
    }

    Readings readings() {
        return readings;
    }

    /** The last sample's, which may be old where nobody watched. */
    long version() {
        lock.lock();
        try {
            return last.version;
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        // It may be waiting for a database that does not answer.
        thread.interrupt();
    }

    private void change(int by) {
        lock.lock();
        try {
            watchers += by;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            while (awaitWatcher()) {
                publish(read());
                TimeUnit.NANOSECONDS.sleep(INTERVAL.toNanos());
            }
        } catch (InterruptedException e) {
            LOG.debug("sampler ends");
        }
    }

    private boolean awaitWatcher() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (watchers == 0 && !closed) {
                changed.await();
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Reading read() throws InterruptedException {
        try {
            return readings.current();
        } catch (RuntimeException | Error e) {
            // An Error too: nobody would see that the thread has ended, and the page would blame the database for good.
            if (last.answers && !isClosed()) {
                tell(e);
            }
            return null;
        }
    }

    private static void tell(Throwable failure) {
        if (DatabaseFailure.isIn(failure)) {
            LOG.atWarn()
                    .addKeyValue("reason", failure.getMessage())
                    .log("the admin page gets no answer of the database");
        } else {
            LOG.atError().setCause(failure).log("the admin page could not read how the outbox does");
        }
    }

    private void publish(@Nullable Reading reading) {
        lock.lock();
        try {
            if (reading != null && !last.answers) {
                LOG.info("the admin page gets answers of the database again");
            }
            last = new Sample(last.version + 1, reading, reading != null);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends its watcher's share in the readings. */
    @FunctionalInterface
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * What there is to tell.
     *
     * @param version tells it from others; grows
     * @param reading what the database told; null where it did not
     * @param answers whether it did
     */
    record Sample(long version, @Nullable Reading reading, boolean answers) {}
}
