package dev.typedoutbox.testkit.publisher;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.relay.EventPublisher;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.util.List;
import java.util.Optional;

/** The broker in memory is its own fixture, nearly. */
class InMemoryFixture implements PublisherFixture {
    private final InMemoryPublisher publisher = new InMemoryPublisher();
    private int taken;

    InMemoryFixture() {
        publisher.answer(event -> event.eventType().equals(Fate.ACCEPTED.name())
                ? PublishOutcome.confirmed()
                : PublishOutcome.refused("it is " + event.eventType()));
    }

    @Override
    public EventPublisher publisher() {
        return publisher;
    }

    @Override
    public Optional<String> eventType(Fate fate) {
        // The only code of a user's that is called is the script, and that plays the broker.
        return Optional.of(fate).filter(known -> known != Fate.FAILING).map(Fate::name);
    }

    @Override
    public List<OutboxEvent> take() {
        List<OutboxEvent> arrived = publisher.sent();
        List<OutboxEvent> rest = arrived.subList(taken, arrived.size());
        taken = arrived.size();
        return rest.stream()
                .filter(event -> event.eventType().equals(Fate.ACCEPTED.name()))
                .toList();
    }

    @Override
    public void holdConfirms() {
        publisher.setSilent(true);
    }

    @Override
    public void releaseConfirms() {
        publisher.setSilent(false);
    }

    @Override
    public void cutConnections() {
        publisher.setAvailable(false);
        publisher.setAvailable(true);
    }

    @Override
    public void close() {
        // The suite closes the publisher.
    }
}
