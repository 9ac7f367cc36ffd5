package dev.typedoutbox.property;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.relay.EventPublisher;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.PublisherSession;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;

/** One batch's way to the broker, which answers by a script and tells the ledger what it sees. */
final class ScriptedPublisher implements EventPublisher, PublisherSession {
    private static final Set<Answer.Verdict> ARRIVES = EnumSet.of(
            Answer.Verdict.CONFIRMED,
            Answer.Verdict.SESSION_ENDED,
            Answer.Verdict.UNKNOWN_BUT_ARRIVED,
            Answer.Verdict.THROWS);

    private final World world;
    private final Sending sending;
    private final Queue<Answer> answers;

    ScriptedPublisher(World world, Sending sending, List<Answer> answers) {
        this.world = world;
        this.sending = sending;
        this.answers = new ArrayDeque<>(answers);
    }

    @Override
    public PublisherSession open() {
        return this;
    }

    @Override
    public boolean awaitReady(Duration timeout) {
        return true;
    }

    @Override
    public List<PublishOutcome> publish(List<OutboxEvent> events, Duration timeout) {
        world.ledger().sends(sending, events);
        List<PublishOutcome> outcomes = new ArrayList<>();
        boolean cut = false;
        boolean broken = false;
        for (OutboxEvent event : events) {
            Answer answer = Objects.requireNonNullElse(answers.poll(), Answer.CONFIRMED);
            answer.meanwhile().forEach(action -> action.on(world));
            cut |= answer.verdict() == Answer.Verdict.CUT;
            broken |= answer.verdict() == Answer.Verdict.THROWS;
            outcomes.add(cut ? PublishOutcome.unknown("connection cut") : outcome(event, answer.verdict()));
        }
        if (broken) {
            outcomes.replaceAll(outcome -> PublishOutcome.unknown("never told"));
        }
        world.ledger().answered(sending, events, outcomes);
        if (broken) {
            throw new IllegalStateException("the publisher breaks its contract");
        }
        return outcomes;
    }

    private PublishOutcome outcome(OutboxEvent event, Answer.Verdict verdict) {
        if (verdict == Answer.Verdict.SESSION_ENDED) {
            world.endSession(sending);
        }
        if (ARRIVES.contains(verdict)) {
            world.ledger().arrived(event);
        }
        return switch (verdict) {
            case CONFIRMED, SESSION_ENDED -> PublishOutcome.confirmed();
            case REFUSED -> PublishOutcome.refused("no queue takes it");
            default -> PublishOutcome.unknown("no confirm came");
        };
    }

    @Override
    public void close() {
        // One batch needs no connection of its own.
    }
}
