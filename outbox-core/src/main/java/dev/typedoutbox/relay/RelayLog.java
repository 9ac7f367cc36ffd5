package dev.typedoutbox.relay;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.relay.Verdicts.Refusal;
import dev.typedoutbox.store.Failure;
import dev.typedoutbox.store.PendingEvent;
import dev.typedoutbox.store.UnreadEvent;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The relay's lines about events; each carries the same keys, and never a payload. What is written to the rows is logged
 * after the commit, since it is not true before.
 */
final class RelayLog {
    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);

    private final List<Runnable> lines = new ArrayList<>();

    void write() {
        lines.forEach(Runnable::run);
        lines.clear();
    }

    /** One line when an event first fails and one when it is given up; the tries between are seen at DEBUG. */
    void refused(Refusal refusal, boolean dead) {
        Level level = dead || refusal.attempt() == 1 ? Level.WARN : Level.DEBUG;
        lines.add(() -> about(level, refusal.event().event(), refusal.attempt())
                .addKeyValue("reason", refusal.reason())
                .log(dead ? "event became a dead letter" : "event was refused and will be tried again"));
    }

    void unsent(UnreadEvent event, String reason) {
        lines.add(
                () -> about(Level.WARN, event).addKeyValue("reason", reason).log("event became a dead letter unsent"));
    }

    void unreadable(UnreadEvent event, String reason) {
        lines.add(() -> about(Level.WARN, event)
                .addKeyValue("reason", Failure.bounded(reason))
                .log("event became a dead letter unread"));
    }

    static void uncountable(Refusal refusal, String reason) {
        uncountable(about(Level.ERROR, refusal.event().event(), refusal.attempt()), reason);
    }

    static void uncountable(UnreadEvent event, String reason) {
        uncountable(about(Level.ERROR, event), reason);
    }

    private static void uncountable(LoggingEventBuilder line, String reason) {
        line.addKeyValue("reason", Failure.bounded(reason))
                .log("the database refuses every change of this row: its attempts cannot be counted");
    }

    /** The relay's change of state is told once; the events that it concerns are seen at DEBUG. */
    static void unknown(PendingEvent event, String reason) {
        about(Level.DEBUG, event.event(), Verdicts.attemptAfter(event.attempts()))
                .addKeyValue("reason", reason)
                .log("event was not confirmed and will be sent again");
    }

    private static LoggingEventBuilder about(Level level, OutboxEvent event, int attempt) {
        return LOG.atLevel(level)
                .addKeyValue("event_id", event.id())
                .addKeyValue("event_type", event.eventType())
                .addKeyValue("aggregate_id", event.aggregateId())
                .addKeyValue("attempt", attempt);
    }

    private static LoggingEventBuilder about(Level level, UnreadEvent event) {
        return LOG.atLevel(level)
                .addKeyValue("event_id", event.id())
                .addKeyValue("event_type", event.eventType())
                .addKeyValue("aggregate_id", event.aggregate().id())
                .addKeyValue("attempt", Verdicts.attemptAfter(event.attempts()));
    }
}
