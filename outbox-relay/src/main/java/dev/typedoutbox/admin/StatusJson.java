package dev.typedoutbox.admin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.typedoutbox.status.BoundedCount;
import dev.typedoutbox.status.RelaySession;
import dev.typedoutbox.status.StatusReport;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The status as the page and scripts get it. */
final class StatusJson {
    /** More relays than an operator can read would only make every message long. */
    private static final int MOST_RELAYS = 50;

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final double MILLIS = 1_000;

    private StatusJson() {}

    static ObjectNode of(Reading reading, List<LocalRelays.LocalRelay> local) {
        StatusReport report = reading.report();
        ObjectNode status = NODES.objectNode().put("at", reading.atMillis()).put("answers", true);
        status.set("pending", count(report.pending()));
        status.put("oldestPendingSeconds", seconds(report.oldestPendingAge()));
        status.set("deadLetters", count(report.deadLetters()));
        status.put("oldestDeadLetterSeconds", seconds(report.oldestDeadLetterAge()));
        status.put("slotsBusy", report.slotsBusy());
        status.put("notificationQueueUsage", report.notificationQueueUsage());
        ArrayNode types = status.putArray("pendingByType");
        reading.types()
                .forEach(type ->
                        types.addObject().put("eventType", type.eventType()).put("pending", type.pending()));
        ArrayNode relays = status.putArray("relays");
        report.relays().stream().limit(MOST_RELAYS).forEach(relay -> relays.add(relay(relay)));
        status.set("localRelays", localRelays(local));
        return status;
    }

    static ObjectNode noAnswer(long atMillis, List<LocalRelays.LocalRelay> local) {
        ObjectNode status = NODES.objectNode().put("at", atMillis).put("answers", false);
        status.set("localRelays", localRelays(local));
        return status;
    }

    /** The points of the plots: time in milliseconds, pending, age of the oldest in seconds, dead letters. */
    static ArrayNode history(List<Reading> readings) {
        ArrayNode points = NODES.arrayNode();
        readings.forEach(reading -> points.addArray()
                .add(reading.atMillis())
                .add(reading.report().pending().value())
                .add(seconds(reading.report().oldestPendingAge()))
                .add(reading.report().deadLetters().value()));
        return points;
    }

    /** The points of the plots: second, published, refused, dead, median and 99th percentile of the delay in ms. */
    static ArrayNode seconds(List<Activity.Second> seconds) {
        ArrayNode points = NODES.arrayNode();
        seconds.forEach(second -> points.addArray()
                .add(second.epochSecond())
                .add(second.published())
                .add(second.refused())
                .add(second.dead())
                .add(second.medianMillis())
                .add(second.slowMillis()));
        return points;
    }

    private static ObjectNode count(BoundedCount count) {
        return NODES.objectNode().put("value", count.value()).put("exact", count.isExact());
    }

    private static ObjectNode relay(RelaySession relay) {
        return NODES.objectNode()
                .put("name", relay.name())
                .put("pid", relay.pid())
                .put("clientAddress", relay.clientAddress())
                .put("since", relay.since().toString())
                .put("asleep", relay.isAsleep());
    }

    private static ArrayNode localRelays(List<LocalRelays.LocalRelay> relays) {
        ArrayNode nodes = NODES.arrayNode();
        relays.forEach(relay -> nodes.addObject()
                .put("name", relay.name())
                .put("state", relay.state().name())
                .put("reason", relay.reason())
                .put("listening", relay.listening()));
        return nodes;
    }

    private static @Nullable Double seconds(@Nullable Duration duration) {
        return duration == null ? null : duration.toMillis() / MILLIS;
    }
}
