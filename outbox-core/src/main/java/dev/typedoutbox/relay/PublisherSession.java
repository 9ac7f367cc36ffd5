package dev.typedoutbox.relay;

import dev.typedoutbox.OutboxEvent;
import java.time.Duration;
import java.util.List;

/**
 * One worker's way to the broker, such as a channel. Used by one thread at a time, except {@link #close}, which any thread
 * may call.
 *
 * @since 0.1.0
 */
public interface PublisherSession extends AutoCloseable {
    /**
     * Waits until the broker takes messages. The relay has no transaction open while it calls this, so that a broker that
     * blocks its publishers holds no locks in the database.
     *
     * @param timeout the longest to wait
     * @return whether messages can be sent now; false while the broker blocks them
     * @throws PublisherUnavailableException if this session has ended; the relay closes it and opens another
     * @throws InterruptedException if the thread is interrupted
     */
    boolean awaitReady(Duration timeout) throws InterruptedException;

    /**
     * Sends events, all in flight together, and waits for the broker's verdict on each. An event may only be
     * {@link PublishOutcome.Kind#CONFIRMED CONFIRMED} by the broker's own confirmation of that event; whatever is not
     * known for certain is {@link PublishOutcome.Kind#UNKNOWN UNKNOWN}.
     *
     * <p>After an unknown outcome the relay asks {@link #awaitReady} on the same session, which then throws if the session
     * has ended. A verdict that comes later than this method returned must not count for anything that is sent afterwards.
     *
     * <p>A relay that keeps the order of aggregates, as it does unless {@link RelayConfig#ordered} is false, never hands over
     * two events of one aggregate in one call, and the next of an aggregate only after the one before was confirmed or
     * became a dead letter. So the events of a call may overtake one another on their way.
     *
     * <p>Never throws for what the broker, the network or an event does. When the thread is interrupted, it returns at once
     * with what is known by then, and leaves the thread interrupted.
     *
     * @param events at least one; the order of sending, for a publisher that keeps one
     * @param timeout the longest to wait for the verdicts
     * @return one outcome for each event, in the same order
     */
    List<PublishOutcome> publish(List<OutboxEvent> events, Duration timeout);

    /** Closes the session within a bounded time. Does nothing when it has ended already. */
    @Override
    void close();
}
