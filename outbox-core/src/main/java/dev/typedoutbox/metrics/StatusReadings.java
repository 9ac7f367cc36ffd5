package dev.typedoutbox.metrics;

import dev.typedoutbox.status.StatusReport;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The outbox's status as gauges need it: those of one scrape share a reading, and a database that does not answer makes them
 * NaN, soon, for it is read on a thread of its own. Safe for use by several threads.
 */
final class StatusReadings {
    /** How long a reading is used. */
    static final Duration FRESH = Duration.ofSeconds(5);

    /** How long a scrape waits for one, all its gauges together. */
    static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

    /** How many may be under way: one that hangs does not keep the next from being tried, and many cannot pile up. */
    private static final int MOST_AT_ONCE = 2;

    private static final Logger LOG = LoggerFactory.getLogger(StatusReadings.class);

    private final Supplier<StatusReport> status;
    private final LongSupplier nanoTime;
    private final Semaphore readers = new Semaphore(MOST_AT_ONCE);
    private final AtomicBoolean toldUnknown = new AtomicBoolean();
    private Reading latest;

    StatusReadings(Supplier<StatusReport> status) {
        this(status, System::nanoTime);
    }

    StatusReadings(Supplier<StatusReport> status, LongSupplier nanoTime) {
        this.status = status;
        this.nanoTime = nanoTime;
        this.latest = new Reading(new FutureTask<>(status::get), nanoTime.getAsLong() - FRESH.toNanos());
    }

    /** A part of the status; NaN if it is not known. */
    double value(ToDoubleFunction<StatusReport> part) {
        Reading reading = current();
        long left = LONGEST_WAIT.toNanos() - ageOf(reading);
        try {
            return part.applyAsDouble(reading.report().get(Math.max(0, left), TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("a gauge is NaN", e);
        }
        return Double.NaN;
    }

    private synchronized Reading current() {
        if (ageOf(latest) >= FRESH.toNanos() && readers.tryAcquire()) {
            latest = begin();
        }
        return latest;
    }

    private Reading begin() {
        Reading reading = new Reading(new FutureTask<>(this::read), nanoTime.getAsLong());
        Thread thread = new Thread(reading.report(), "outbox-metrics");
        thread.setDaemon(true);
        try {
            thread.start();
        } catch (Error e) {
            // There may be no more threads to be had for now.
            readers.release();
            throw e;
        }
        return reading;
    }

    private StatusReport read() {
        try {
            StatusReport report = status.get();
            tellKnown();
            return report;
        } catch (RuntimeException | Error e) {
            tellUnknown(e);
            throw e;
        } finally {
            readers.release();
        }
    }

    private void tellKnown() {
        if (toldUnknown.getAndSet(false)) {
            LOG.info("the outbox's status is known again");
        }
    }

    private void tellUnknown(Throwable reason) {
        if (!toldUnknown.getAndSet(true)) {
            LOG.warn(
                    "the outbox's status is not known, and the gauges that tell of it are NaN: {}",
                    reason.getMessage());
        }
    }

    private long ageOf(Reading reading) {
        return nanoTime.getAsLong() - reading.begunAt();
    }

    private record Reading(FutureTask<StatusReport> report, long begunAt) {}
}
