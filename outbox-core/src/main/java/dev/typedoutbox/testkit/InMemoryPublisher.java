package dev.typedoutbox.testkit;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.relay.EventPublisher;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.PublisherSession;
import dev.typedoutbox.relay.PublisherUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * A broker in memory: records what was sent, in order, and answers by a script. Confirms everything unless told otherwise.
 *
 * <p>Safe for use by several threads; a script is called by the sending threads, one event after the other.
 */
public final class InMemoryPublisher implements EventPublisher {
    private final List<OutboxEvent> sent = Collections.synchronizedList(new ArrayList<>());
    private final List<Integer> sendings = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger openSessions = new AtomicInteger();
    private volatile Function<OutboxEvent, PublishOutcome> script = event -> PublishOutcome.confirmed();
    private final Object changes = new Object();
    private boolean available = true;
    private boolean closed;
    private boolean blocked;
    private boolean silent;

    /** How often the broker became unavailable; a session ends with the first time after its opening. */
    private int cuts;

    /**
     * Sets what the broker answers from now on; the script may wait, and may throw.
     *
     * @param answer the verdict on each event that is sent
     */
    public void answer(Function<OutboxEvent, PublishOutcome> answer) {
        this.script = Objects.requireNonNull(answer, "answer");
    }

    /**
     * Sets whether the broker can be reached from now on. Sessions that are open end when it cannot.
     *
     * @param reachable whether it can
     */
    public void setAvailable(boolean reachable) {
        synchronized (changes) {
            available = reachable;
            cuts += reachable ? 0 : 1;
            changes.notifyAll();
        }
    }

    /**
     * Sets whether the broker blocks its publishers from now on.
     *
     * @param blocks whether it does
     */
    public void setBlocked(boolean blocks) {
        synchronized (changes) {
            blocked = blocks;
            changes.notifyAll();
        }
    }

    /**
     * Sets whether the broker keeps its answers to itself from now on. What is sent arrives all the same.
     *
     * @param saysNothing whether it does
     */
    public void setSilent(boolean saysNothing) {
        synchronized (changes) {
            silent = saysNothing;
            changes.notifyAll();
        }
    }

    /**
     * What was sent, whatever the answer was.
     *
     * @return the events in the order of sending, with repetitions
     */
    public List<OutboxEvent> sent() {
        return List.copyOf(sent);
    }

    /**
     * How many events each call of a session carried, in the order of the calls.
     *
     * @return the sizes
     */
    public List<Integer> sendings() {
        return List.copyOf(sendings);
    }

    /**
     * How many sessions are open.
     *
     * @return the number
     */
    public int openSessions() {
        return openSessions.get();
    }

    @Override
    public PublisherSession open() {
        synchronized (changes) {
            if (closed || !available) {
                throw unavailable();
            }
            openSessions.incrementAndGet();
            return new Session(cuts);
        }
    }

    @Override
    public void close() {
        synchronized (changes) {
            closed = true;
        }
        setAvailable(false);
    }

    private static PublisherUnavailableException unavailable() {
        return new PublisherUnavailableException("the broker in memory was made unavailable", null);
    }

    private final class Session implements PublisherSession {
        private final int cutsBefore;
        private boolean open = true;

        Session(int cutsBefore) {
            this.cutsBefore = cutsBefore;
        }

        @Override
        public boolean awaitReady(Duration timeout) throws InterruptedException {
            synchronized (changes) {
                awaitWhile(() -> blocked, timeout);
                if (isCut()) {
                    throw unavailable();
                }
                return !blocked;
            }
        }

        @Override
        public List<PublishOutcome> publish(List<OutboxEvent> events, Duration timeout) {
            sendings.add(events.size());
            List<PublishOutcome> outcomes = events.stream().map(this::publish).toList();
            return isHeard(timeout)
                    ? outcomes
                    : Collections.nCopies(events.size(), PublishOutcome.unknown("the broker in memory said nothing"));
        }

        private PublishOutcome publish(OutboxEvent event) {
            if (isCut()) {
                return PublishOutcome.unknown("the broker in memory was made unavailable");
            }
            sent.add(event);
            return script.apply(event);
        }

        /** Waits while the broker is silent; what it said before a connection was cut counts if it was heard in time. */
        private boolean isHeard(Duration timeout) {
            synchronized (changes) {
                try {
                    awaitWhile(() -> silent, timeout);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return !silent;
            }
        }

        private void awaitWhile(BooleanSupplier state, Duration timeout) throws InterruptedException {
            long end = System.nanoTime() + timeout.toNanos();
            for (long left = timeout.toNanos(); left > 0 && state.getAsBoolean() && !isCut(); ) {
                TimeUnit.NANOSECONDS.timedWait(changes, left);
                left = end - System.nanoTime();
            }
        }

        private boolean isCut() {
            synchronized (changes) {
                return cuts != cutsBefore;
            }
        }

        @Override
        public synchronized void close() {
            if (open) {
                open = false;
                openSessions.decrementAndGet();
            }
        }
    }
}
