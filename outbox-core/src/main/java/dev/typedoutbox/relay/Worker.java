package dev.typedoutbox.relay;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One thread of a relay: batch after batch while there is something to send, and no error ends it. */
final class Worker implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

    /** How soon a worker that waits for a blocked broker sees that its relay is to stop. */
    private static final Duration READY_WAIT = Duration.ofMillis(500);

    private final EventPublisher publisher;
    private final BatchRunner batches;
    private final Duration pollInterval;
    private final CountDownLatch stop;
    private final BiConsumer<RelayState, String> states;
    private final Backoff backoff = new Backoff();

    private @Nullable PublisherSession session;

    Worker(
            EventPublisher publisher,
            BatchRunner batches,
            Duration pollInterval,
            CountDownLatch stop,
            BiConsumer<RelayState, String> states) {
        this.publisher = publisher;
        this.batches = batches;
        this.pollInterval = pollInterval;
        this.stop = stop;
        this.states = states;
    }

    @Override
    public void run() {
        Duration pause = Duration.ZERO;
        while (!stopped(pause)) {
            pause = step();
        }
        closeSession();
    }

    /** Only {@link Relay#close} ends a worker; it counts the latch down before it interrupts. */
    private boolean stopped(Duration pause) {
        try {
            return stop.await(pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            return stop.getCount() == 0;
        }
    }

    /** Does one batch, or finds out why it cannot, and tells how long to wait for the next. */
    private Duration step() {
        try {
            PublisherSession ready = readySession();
            return ready == null ? Duration.ZERO : after(batches.run(ready));
        } catch (PublisherUnavailableException e) {
            closeSession();
            return waiting(RelayState.WAITING_FOR_BROKER, e);
        } catch (SQLException | DataAccessException e) {
            return waiting(RelayState.WAITING_FOR_DATABASE, e);
        } catch (InterruptedException e) {
            return Duration.ZERO;
        } catch (RuntimeException | Error e) {
            // Not even an OutOfMemoryError may end the thread, and with it the relay, unseen.
            LOG.error("batch failed unexpectedly and will be done again", e);
            closeSession();
            return waiting(RelayState.WAITING_FOR_BROKER, e);
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
        states.accept(RelayState.WAITING_FOR_BROKER, "the broker blocks its publishers");
        return null;
    }

    private Duration after(BatchResult result) {
        if (result.unknown() > 0) {
            // The session says by itself whether it has ended; one that is only blocked must be kept and waited for.
            states.accept(RelayState.WAITING_FOR_BROKER, result.unknown() + " events were not confirmed");
            return backoff.next();
        }
        states.accept(RelayState.RUNNING, "");
        backoff.reset();
        return result.fetched() > 0 ? Duration.ZERO : pollInterval;
    }

    private Duration waiting(RelayState state, Throwable reason) {
        states.accept(state, String.valueOf(reason.getMessage()));
        return backoff.next();
    }

    private void closeSession() {
        PublisherSession current = session;
        session = null;
        if (current != null) {
            try {
                current.close();
            } catch (RuntimeException | Error e) {
                LOG.error("session with the broker could not be closed", e);
            }
        }
    }
}
