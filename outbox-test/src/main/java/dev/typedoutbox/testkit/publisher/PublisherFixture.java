package dev.typedoutbox.testkit.publisher;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.relay.EventPublisher;
import java.util.List;
import java.util.Optional;

/**
 * A broker, real or not, of which {@link PublisherConformance} makes use; what a publisher's author provides.
 *
 * <p>It is used by one thread, that of the test, while other threads may be publishing.
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
     * Makes the publisher under test; called once. Threads that the fixture itself needs are running by then.
     *
     * @return a new publisher, closed by the suite before the fixture
     */
    EventPublisher publisher();

    /**
     * Names the events that meet a fate. No two fates have the same.
     *
     * @param fate the fate
     * @return the type of such events; empty if the publisher knows no such fate, and its tests are skipped. It must know
     *     {@link Fate#ACCEPTED}, or all tests fail.
     */
    Optional<String> eventType(Fate fate);

    /**
     * Takes what has arrived and was not taken before; also called, again and again, while a publish is under way. Does not
     * wait for more.
     *
     * <p>The events are rebuilt from what arrived, as a consumer would, and compared with those sent: id, aggregate, seq,
     * type, payload (one JSON value), the time of creation (a whole second in this suite), and headers, whose values are
     * texts, {@code Long}s and {@code Boolean}s again.
     *
     * @return the {@link Fate#ACCEPTED accepted} events, in any order, with repetitions: all that the publisher has told to
     *     be confirmed, and maybe others that are under way
     */
    List<OutboxEvent> take();

    /** Holds back what the broker says, on all connections, until {@link #releaseConfirms}. What is sent arrives. */
    void holdConfirms();

    /** Lets the publishers hear what was held back. Connections that were given up by then stay so. */
    void releaseConfirms();

    /** Cuts all connections now. New ones can be made. */
    void cutConnections();

    /** Gives up what the fixture holds, also when it was not used for anything. */
    @Override
    void close();
}
