package dev.typedoutbox.recipes.publisher;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.relay.EventPublisher;
import dev.typedoutbox.testkit.publisher.PublisherFixture;
import java.util.List;
import java.util.Optional;

/** A receiver that holds its answers back and cuts connections. */
final class WebhookFixture implements PublisherFixture {
    private final Receiver receiver = new Receiver();
    private int taken;

    WebhookFixture() {
        receiver.answer(event -> Receiver.Answer.of(
                switch (Fate.valueOf(event.eventType())) {
                    case ACCEPTED -> 204;
                    case UNROUTABLE -> 404;
                    default -> 400;
                }));
    }

    @Override
    public EventPublisher publisher() {
        return new WebhookPublisher(receiver.uri());
    }

    @Override
    public Optional<String> eventType(Fate fate) {
        // It calls no code of its users'.
        return Optional.of(fate).filter(known -> known != Fate.FAILING).map(Fate::name);
    }

    @Override
    public List<OutboxEvent> take() {
        List<OutboxEvent> all = receiver.taken();
        List<OutboxEvent> rest = all.subList(taken, all.size());
        taken = all.size();
        return rest;
    }

    @Override
    public void holdConfirms() {
        receiver.hold();
    }

    @Override
    public void releaseConfirms() {
        receiver.release();
    }

    @Override
    public void cutConnections() {
        receiver.restart();
    }

    @Override
    public void close() {
        receiver.close();
    }
}
