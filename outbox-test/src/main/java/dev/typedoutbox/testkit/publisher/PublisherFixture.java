package dev.typedoutbox.testkit.publisher;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.relay.EventPublisher;
import java.util.List;
import java.util.Optional;

/**
 * A broker, real or not, of which {@link PublisherConformance} makes use; what a publisher's author provides.
 *
 * @since 0.1.0
 */
public interface PublisherFixture extends AutoCloseable {
    /** What becomes of an event. */
    enum Fate {
        /** It arrives. */
        ACCEPTED,
        /** The broker is there, but nobody takes the event. */
        UNROUTABLE,
        /** The broker refuses it, as when its destination does not exist. */
        REFUSED,
        /** Code of the user's own that the publisher calls for the event throws. */
        FAILING
    }

    /**
     * Makes a publisher.
     *
     * @return a new publisher, closed by the suite
     */
    EventPublisher publisher();

    /**
     * Names the events that meet a fate.
     *
     * @param fate the fate
     * @return the type of such events; empty if the publisher knows no such fate, and its tests are skipped
     */
    Optional<String> eventType(Fate fate);

    /**
     * Takes what has arrived and was not taken before.
     *
     * @return the events in the order of arrival, with repetitions
     */
    List<OutboxEvent> take();

    /** Holds back what the broker says, on all connections, until {@link #releaseConfirms}. What is sent arrives. */
    void holdConfirms();

    /** Lets the publishers hear what was held back. Connections that were given up by then stay so. */
    void releaseConfirms();

    /** Cuts all connections now. New ones can be made. */
    void cutConnections();

    /** Gives up what the fixture holds. */
    @Override
    void close();
}
