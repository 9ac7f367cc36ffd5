package dev.typedoutbox.rabbit.crash;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.relay.EventPublisher;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.PublisherSession;
import java.time.Duration;
import java.util.List;

/** A publisher with something put between the relay and it. */
record DecoratedPublisher(EventPublisher publisher, Sending sending) implements EventPublisher {
    /** What is put between. */
    @FunctionalInterface
    interface Sending {
        List<PublishOutcome> send(PublisherSession session, List<OutboxEvent> events, Duration timeout);

        /** Called whenever the broker is ready. */
        default void ready() {}
    }

    @Override
    public PublisherSession open() {
        return new Session(publisher.open(), sending);
    }

    @Override
    public void close() {
        publisher.close();
    }

    private record Session(PublisherSession session, Sending sending) implements PublisherSession {
        @Override
        public boolean awaitReady(Duration timeout) throws InterruptedException {
            boolean ready = session.awaitReady(timeout);
            if (ready) {
                sending.ready();
            }
            return ready;
        }

        @Override
        public List<PublishOutcome> publish(List<OutboxEvent> events, Duration timeout) {
            return sending.send(session, events, timeout);
        }

        @Override
        public void close() {
            session.close();
        }
    }
}
