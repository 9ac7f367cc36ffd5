package dev.typedoutbox.relay;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Where a relay's workers rest until there may be something to do. A ring wakes one of them, and is kept for the next that
 * wants to rest when none does, so that none is missed; several rings before one has woken are one. Closing it ends all
 * rests, for good.
 */
final class Bell {
    private final int workers;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition rung = lock.newCondition();
    private final Condition changed = lock.newCondition();
    private int resting;
    private boolean pending;
    private boolean closed;
    private long batches;
    private Duration longestRest;
    private long boundedAt = System.nanoTime();

    Bell(int workers, Duration longestRest) {
        this.workers = workers;
        this.longestRest = longestRest;
    }

    /** Bounds the rests from now on; of those that have begun, what is left. */
    void boundRests(Duration longest) {
        lock.lock();
        try {
            longestRest = longest;
            boundedAt = System.nanoTime();
            rung.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Wakes one resting worker, or keeps the next from resting. */
    void ring() {
        lock.lock();
        try {
            pending = true;
            rung.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Rests until the bell rings, or is closed, or the time is over, or the longest rest. */
    void rest(Duration atMost) throws InterruptedException {
        lock.lock();
        try {
            resting++;
            changed.signalAll();
            long began = System.nanoTime();
            while (!pending && !closed && left(began, atMost) > 0) {
                rung.awaitNanos(left(began, atMost));
            }
            pending = false;
        } finally {
            resting--;
            lock.unlock();
        }
    }

    private long left(long began, Duration atMost) {
        long now = System.nanoTime();
        long wished = began + atMost.toNanos() - now;
        long allowed = (boundedAt - began > 0 ? boundedAt : began) + longestRest.toNanos() - now;
        return Math.min(wished, allowed);
    }

    /** Waits until the bell is closed, or the time is over; whoever does so does not count as resting. */
    void pause(Duration time) throws InterruptedException {
        lock.lock();
        try {
            long left = time.toNanos();
            while (!closed && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until all workers rest; answers whether they do. */
    boolean awaitAllResting(Duration atMost) throws InterruptedException {
        lock.lock();
        try {
            long left = atMost.toNanos();
            while (!allRest() && !closed && left > 0) {
                left = changed.awaitNanos(left);
            }
            return allRest();
        } finally {
            lock.unlock();
        }
    }

    private boolean allRest() {
        return resting == workers && !pending;
    }

    /** Counts a batch that found something. */
    void batchWasDone() {
        lock.lock();
        try {
            batches++;
        } finally {
            lock.unlock();
        }
    }

    /** How many batches found something so far. */
    long batches() {
        lock.lock();
        try {
            return batches;
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            rung.signalAll();
            changed.signalAll();
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
}
