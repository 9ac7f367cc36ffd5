package dev.typedoutbox.relay;

/**
 * Sends events to a broker; what an adapter implements. One publisher serves all workers of a relay, and each worker opens
 * a session of its own.
 *
 * <p>Implementations must be safe for use by several threads.
 *
 * @since 0.1.0
 */
public interface EventPublisher extends AutoCloseable {
    /**
     * Connects as far as needed and opens what one worker needs to publish. The time this may take must be bounded. The
     * relay has no transaction open while it calls this.
     *
     * @return a session for use by the calling thread alone
     * @throws PublisherUnavailableException if the broker cannot be reached or refuses the connection; the relay tries
     *     again later
     */
    PublisherSession open();

    /** Closes what all sessions share, within a bounded time. Sessions that are still open end. */
    @Override
    void close();
}
