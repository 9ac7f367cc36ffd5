package dev.typedoutbox.example;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Turns Ctrl-C and SIGTERM into an interrupt of the thread that runs the example, and lets it close everything first. */
final class StopSignal implements AutoCloseable {
    private static final int LONGEST_CLOSE_SECONDS = 30;

    private final Thread runner = Thread.currentThread();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread hook = new Thread(this::stop, "stop-example");
    private volatile boolean quiet;
    private boolean received;
    private boolean interrupting;

    StopSignal() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Servers of our own stop at the same signal, and what is still connected to them would complain. */
    void stopQuietly() {
        quiet = true;
    }

    synchronized boolean isReceived() {
        return received;
    }

    /** Until this is called nothing is ours to close, and the embedded broker never ends a start that is interrupted. */
    synchronized void interruptFromNowOn() throws InterruptedException {
        interrupting = true;
        if (received) {
            throw new InterruptedException();
        }
    }

    private synchronized boolean interruptsRunner() {
        received = true;
        if (interrupting) {
            runner.interrupt();
        }
        return interrupting;
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The hook runs already; it goes on now.
        }
    }

    private void stop() {
        if (quiet) {
            Logging.silence();
        }
        if (!interruptsRunner()) {
            return;
        }
        try {
            if (!closed.await(LONGEST_CLOSE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("error: the example did not close within " + LONGEST_CLOSE_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
