package dev.typedoutbox.property;

import dev.typedoutbox.property.Entry.Stage;
import dev.typedoutbox.property.Setup.Mode;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** What must be so at the moment when an event is sent. */
final class Rules {
    private final Setup setup;

    Rules(Setup setup) {
        this.setup = setup;
    }

    /**
     * The rule that this sending breaks, if any. A relay that lost its session does not know it yet, and may repeat what
     * another does; only what a duplicate cannot excuse is held against it.
     */
    Optional<String> violation(Sending sending, Entry event, Collection<Sending> underWay) {
        if (!event.isCommitted()) {
            return event.stage == Stage.DISCARDED && sending.sessionEnded
                    ? Optional.empty()
                    : Optional.of("its transaction is " + event.stage);
        }
        Optional<String> broken = sending.sessionEnded ? Optional.empty() : ofOneEvent(sending, event, underWay);
        return broken.isPresent() || !setup.ordered() ? broken : ofOrder(sending, event.earlier);
    }

    private static Optional<String> ofOneEvent(Sending sending, Entry event, Collection<Sending> underWay) {
        if (event.marked) {
            return Optional.of("it was marked as processed");
        }
        if (event.dead) {
            return Optional.of("it is a dead letter");
        }
        if (event.waiting) {
            return Optional.of("it waits for its retry");
        }
        if (sending.sent.contains(event)) {
            return Optional.of("it was sent in this batch before");
        }
        return underWay.stream()
                .filter(other -> other != sending && other.publishing && !other.sessionEnded)
                .filter(other -> other.sent.contains(event))
                .findFirst()
                .map(other -> "it is in the batch of relay " + other.relay + " too");
    }

    private Optional<String> ofOrder(Sending sending, List<Entry> earlier) {
        return earlier.stream()
                .filter(Entry::isCommitted)
                .filter(before -> !mayBePassed(sending, before))
                .findFirst()
                .map(before -> before + " was neither confirmed nor given up");
    }

    private boolean mayBePassed(Sending sending, Entry before) {
        if (before.waiting && !sending.sessionEnded) {
            return false;
        }
        if (setup.mode() == Mode.HOLD && before.dead && !sending.sessionEnded) {
            return false;
        }
        return before.confirmed || (setup.mode() == Mode.GO_ON && wasDead(sending, before));
    }

    /** Another relay may have committed a death that the ledger has not been told of yet. */
    private boolean wasDead(Sending sending, Entry before) {
        return before.dead
                || before.attempts + before.refusalsUnderWay >= setup.maxAttempts()
                || before.revived > sending.began;
    }
}
