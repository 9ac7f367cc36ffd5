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
 * A broker in memory, for tests: records what was sent, in order, and answers by a script. Confirms everything unless told
 * otherwise. What it records stays in memory until {@link #reset}.
 *
 * <p>It keeps the contract of {@link EventPublisher} as a real broker's publisher does, so that a relay cannot tell them
 * apart.
 *
 * <p>Safe for use by several threads; a script is called by the sending threads, one event after the other.
 *
 * @since 0.1.0
 */
public final class InMemoryPublisher implements EventPublisher {
    private final List<OutboxEvent> sent = Collections.synchronizedList(new ArrayList<>());
    private final List<OutboxEvent> published = Collections.synchronizedList(new ArrayList<>());
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

    /** Makes a broker that is there and confirms everything. */
    public InMemoryPublisher() {
        // The fields say so.
    }

    /**
     * Sets what the broker answers from now on, such as {@code PublishOutcome.nacked("out of disk space")}.
     *
     * @param outcome the verdict on each event that is sent
     */
    public void answer(PublishOutcome outcome) {
        Objects.requireNonNull(outcome, "outcome");
        answer(event -> outcome);
    }

    /**
     * Sets what the broker answers from now on to the events of one type; to all others it answers as before.
     *
     * @param eventType the type
     * @param outcome the verdict on each event of that type that is sent
     */
    public void answer(String eventType, PublishOutcome outcome) {
        Objects.requireNonNull(eventType, "eventType");
        Objects.requireNonNull(outcome, "outcome");
        synchronized (changes) {
            Function<OutboxEvent, PublishOutcome> others = script;
            script = event -> event.eventType().equals(eventType) ? outcome : others.apply(event);
        }
    }

    /**
     * Sets what the broker answers from now on; the script may wait, and may throw.
     *
     * @param answer the verdict on each event that is sent
     */
    public void answer(Function<OutboxEvent, PublishOutcome> answer) {
        Objects.requireNonNull(answer, "answer");
        synchronized (changes) {
            script = answer;
        }
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
     * Forgets what was sent, and is again as it was at the beginning: there, neither blocked nor silent, and it confirms
     * everything. Sessions that are open stay so. One that was closed stays closed.
     */
    public void reset() {
        synchronized (changes) {
            script = event -> PublishOutcome.confirmed();
            available = !closed;
            blocked = false;
            silent = false;
            changes.notifyAll();
        }
        sent.clear();
        published.clear();
        sendings.clear();
    }

    /**
     * What the broker has taken: all that its answer confirmed, whether or not that answer was heard. These are the events
     * that consumers would get.
     *
     * @return the events in the order of sending, with repetitions
     */
    public List<OutboxEvent> published() {
        return List.copyOf(published);
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
                if (isEnded()) {
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
            if (isEnded()) {
                return PublishOutcome.unknown("the broker in memory was made unavailable");
            }
            sent.add(event);
            PublishOutcome outcome = script.apply(event);
            if (outcome.kind() == PublishOutcome.Kind.CONFIRMED) {
                published.add(event);
            }
            return outcome;
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
            for (long left = timeout.toNanos(); left > 0 && state.getAsBoolean() && !isEnded(); ) {
                TimeUnit.NANOSECONDS.timedWait(changes, left);
                left = end - System.nanoTime();
            }
        }

        private boolean isEnded() {
            synchronized (changes) {
                return !open || cuts != cutsBefore;
            }
        }

        @Override
        public void close() {
            synchronized (changes) {
                if (open) {
                    open = false;
                    openSessions.decrementAndGet();
                    changes.notifyAll();
                }
            }
        }
    }
}
