package dev.typedoutbox.relay;

import java.time.Duration;
import java.util.List;

/**
 * Is told what a relay does, as for metrics and traces. Every method does nothing unless it is overridden.
 *
 * <p>Called on the relay's threads, several at once: must be safe for use by several threads, and quick, since the next
 * batch waits for it; no transaction is open meanwhile. What it throws does no harm, and its first failure
 * is logged as an error.
 *
 * @since 0.1.0
 */
public interface RelayObserver {
    /**
     * A relay has been started. Its first batch may be told before this. Not told for {@link Relay#runOnce}.
     *
     * @param relay the relay; must not be started or closed here
     */
    default void started(Relay relay) {}

    /**
     * A relay has been closed. A batch that did not end in time may be told after this.
     *
     * @param relay the relay; must not be started or closed here
     */
    default void stopped(Relay relay) {}

    /**
     * A batch that found something was committed.
     *
     * @param result what the batch did, as the rows now say
     * @param took from the request for a connection to the commit
     * @param attempts what the broker said of each event that was sent to it, in the order in which they were sent; those
     *     that were given up unsent are in the result alone
     */
    default void batchDone(BatchResult result, Duration took, List<PublishAttempt> attempts) {}

    /**
     * A batch was rolled back, or did not begin, because the database failed. What it sent is sent again, and then told;
     * of these attempts nothing is.
     *
     * @param failure what went wrong
     */
    default void batchFailed(Exception failure) {}
}
