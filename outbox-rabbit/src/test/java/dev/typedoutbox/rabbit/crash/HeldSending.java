package dev.typedoutbox.rabbit.crash;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.rabbit.crash.Hold.Step;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.PublisherSession;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Knows that the relay has fetched, and that the broker has confirmed. */
record HeldSending(Hold hold, AtomicBoolean published) implements DecoratedPublisher.Sending {
    @Override
    public void ready() {
        hold.connected();
    }

    @Override
    public List<PublishOutcome> send(PublisherSession session, List<OutboxEvent> events, Duration timeout) {
        hold.at(Step.AFTER_FETCH);
        published.set(true);
        List<PublishOutcome> outcomes = session.publish(events, timeout);
        hold.at(Step.AFTER_CONFIRM);
        return outcomes;
    }
}
