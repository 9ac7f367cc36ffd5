package dev.typedoutbox.rabbit.crash;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.Applied;
import dev.typedoutbox.consumer.ApplyOutcome;
import dev.typedoutbox.consumer.EventConsumer;
import dev.typedoutbox.consumer.EventHandler;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Ends its process at a moment in the life of an event, without any farewell, as a crash does. */
final class Halt {
    /** When a process can end. */
    enum Moment {
        /** It goes on. */
        NEVER,
        /** The handler has done its work. */
        BEFORE_COMMIT,
        /** The work is committed, and the delivery is not acknowledged. */
        AFTER_COMMIT
    }

    /** What the process leaves, so that this end is known from others. */
    static final int EXIT_VALUE = 9;

    private final Moment moment;
    private final AtomicInteger left;

    /** Lets so many events pass before the one that it ends with. */
    Halt(Moment moment, int passing) {
        this.moment = moment;
        this.left = new AtomicInteger(passing);
    }

    EventHandler in(EventHandler handler) {
        return (tx, event) -> {
            handler.handle(tx, event);
            at(Moment.BEFORE_COMMIT, 1);
        };
    }

    EventConsumer behind(EventConsumer consumer) {
        return new EventConsumer() {
            @Override
            public Applied apply(OutboxEvent event) {
                Applied applied = consumer.apply(event);
                at(Moment.AFTER_COMMIT, 1);
                return applied;
            }

            @Override
            public List<ApplyOutcome> applyAll(List<OutboxEvent> events) {
                List<ApplyOutcome> outcomes = consumer.applyAll(events);
                at(Moment.AFTER_COMMIT, events.size());
                return outcomes;
            }
        };
    }

    private void at(Moment here, int events) {
        if (here == moment && left.addAndGet(-events) < 0) {
            Runtime.getRuntime().halt(EXIT_VALUE);
        }
    }
}
