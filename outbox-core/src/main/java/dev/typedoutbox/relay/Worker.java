package dev.typedoutbox.relay;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One thread of a relay: batch after batch while there is something to send, and no error ends it. */
final class Worker implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

    /** How soon a worker that waits for a blocked broker sees that its relay is to stop. */
    private static final Duration READY_WAIT = Duration.ofMillis(500);

    private static final long LAST_RESORT = Duration.ofMillis(500).toNanos();

    private final int number;
    private final EventPublisher publisher;
    private final BatchRunner batches;
    private final RelayConfig config;
    private final Bell bell;
    private final RelayStates states;
    private final Backoff backoff = new Backoff();

    private @Nullable PublisherSession session;

    Worker(
            int number,
            EventPublisher publisher,
            BatchRunner batches,
            RelayConfig config,
            Bell bell,
            RelayStates states) {
        this.number = number;
        this.publisher = publisher;
        this.batches = batches;
        this.config = config;
        this.bell = bell;
        this.states = states;
    }

    @Override
    public void run() {
        while (!bell.isClosed()) {
            try {
                step();
            } catch (Throwable e) {
                // What was to be done about a failure has failed as well, as when there is no memory for its line in
                // the
                // log. Nothing is tried here that could fail again.
                pauseWithoutMeans();
            }
        }
        closeSession();
    }

    private void pauseWithoutMeans() {
        if (!bell.isClosed()) {
            LockSupport.parkNanos(LAST_RESORT);
        }
    }

    /** Does one batch, or finds out why it cannot, and waits for the next. */
    private void step() throws InterruptedException {
        try {
            PublisherSession ready = readySession();
            if (ready != null) {
                dropStrayInterrupt();
                after(batches.run(ready));
            }
        } catch (PublisherUnavailableException e) {
            closeSession();
            waitFor(RelayState.WAITING_FOR_BROKER, String.valueOf(e.getMessage()));
        } catch (SQLException | DataAccessException e) {
            waitFor(RelayState.WAITING_FOR_DATABASE, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            if (!bell.isClosed()) {
                failed(e);
            }
        } catch (Throwable e) {
            failed(e);
        }
    }

    /**
     * Not even an OutOfMemoryError may end the thread, and with it the relay, unseen. Nor may an exception that is not
     * declared, as a publisher in Kotlin can throw it.
     */
    private void failed(Throwable e) throws InterruptedException {
        LOG.error("batch failed unexpectedly and will be done again", e);
        closeSession();
        waitFor(RelayState.WAITING_FOR_BROKER, String.valueOf(e.getMessage()));
    }

    /**
     * An interrupt that an observer or a publisher has left behind must not keep the thread from waiting. Only that of
     * {@link Relay#close} counts, which closes the bell before.
     */
    private void dropStrayInterrupt() {
        boolean interrupted = Thread.interrupted();
        if (interrupted && bell.isClosed()) {
            Thread.currentThread().interrupt();
        }
    }

    private @Nullable PublisherSession readySession() throws InterruptedException {
        PublisherSession current = session;
        if (current == null) {
            current = publisher.open();
            session = current;
        }
        if (current.awaitReady(READY_WAIT)) {
            return current;
        }
        tell(RelayState.WAITING_FOR_BROKER, "the broker blocks its publishers");
        return null;
    }

    private void after(BatchReport report) throws InterruptedException {
        dropStrayInterrupt();
        BatchResult result = report.result();
        if (report.unconfirmed() > 0) {
            // The session says by itself whether it has ended; one that is only blocked must be kept and waited for.
            waitFor(RelayState.WAITING_FOR_BROKER, report.unconfirmed() + " events were not confirmed");
        } else if (result.unknown() > 0) {
            String reason = "the database refuses every change of " + result.unknown() + " rows";
            waitFor(RelayState.WAITING_FOR_DATABASE, reason);
        } else if (result.fetched() > 0) {
            tell(RelayState.RUNNING, "");
            backoff.reset();
            bell.batchWasDone();
            // Less than a full batch may leave some behind, since each slot gives no more than its share.
            if (result.fetched() > config.batchSize() / 2) {
                bell.ring();
            }
        } else {
            tellIdle();
            bell.rest(report.lookAgainIn());
        }
    }

    private void waitFor(RelayState state, String reason) throws InterruptedException {
        tell(state, reason);
        dropStrayInterrupt();
        bell.pause(backoff.next());
    }

    /** One that its relay has given up may end its batch when another has its number. */
    private void tell(RelayState state, String reason) {
        if (!bell.isClosed()) {
            states.set(number, state, reason);
        }
    }

    private void tellIdle() {
        if (!bell.isClosed()) {
            states.idle(number);
        }
    }

    private void closeSession() {
        PublisherSession current = session;
        session = null;
        if (current != null) {
            try {
                current.close();
            } catch (Throwable e) {
                LOG.error("session with the broker could not be closed", e);
            }
        }
    }
}
