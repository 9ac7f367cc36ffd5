package dev.typedoutbox.standalone;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns SIGTERM and SIGINT into the end of a wait, and lets the waiting thread close everything before the JVM ends. That
 * ends with 0 then: to be told to stop is no failure.
 */
final class StopSignal implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StopSignal.class);

    private final Duration longestClose;
    private final Thread runner = Thread.currentThread();
    private final Thread hook = new Thread(this::stop, "outbox-stop");
    private final CountDownLatch received = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    private StopSignal(Duration longestClose) {
        this.longestClose = longestClose;
    }

    static StopSignal install(Duration longestClose) {
        StopSignal signal = new StopSignal(longestClose);
        Runtime.getRuntime().addShutdownHook(signal.hook);
        return signal;
    }

    boolean isReceived() {
        return received.getCount() == 0;
    }

    void await() throws InterruptedException {
        received.await();
    }

    /** Waits, unless it comes before; answers whether it did. */
    boolean await(Duration time) throws InterruptedException {
        return received.await(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** To be called when all is closed. */
    @Override
    public void close() {
        closed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            LOG.debug("the JVM ends already", e);
        }
    }

    private void stop() {
        // Ends every wait of its start. Not after the latch: then it closes, and must not be disturbed.
        runner.interrupt();
        received.countDown();
        Runtime.getRuntime().halt(isClosedInTime() ? ExitStatus.OK : ExitStatus.FAILURE);
    }

    private boolean isClosedInTime() {
        try {
            if (closed.await(longestClose.toMillis(), TimeUnit.MILLISECONDS)) {
                return true;
            }
            LOG.atError().addKeyValue("bound", longestClose).log("relay did not close in time and is ended as it is");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }
}
