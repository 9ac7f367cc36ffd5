package dev.typedoutbox.standalone;

import dev.typedoutbox.status.BoundedCount;
import dev.typedoutbox.status.RelaySession;
import dev.typedoutbox.status.StatusReport;
import dev.typedoutbox.status.TypeCount;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One look at the outbox, for people and for programs.
 *
 * @param place where it is
 * @param report what was found
 * @param types the types of what is pending
 */
record StatusReading(String place, StatusReport report, List<TypeCount> types) {
    String text() {
        StringBuilder text = new StringBuilder();
        line(text, "outbox", place);
        line(text, "read at", report.readAt().truncatedTo(ChronoUnit.SECONDS).toString());
        line(text, "pending", report.pending() + age(report.oldestPendingAge()));
        line(text, "dead letters", report.deadLetters() + age(report.oldestDeadLetterAge()));
        line(text, "slots busy", report.slotsBusy() + " of " + StatusReport.SLOTS);
        line(
                text,
                "notifications",
                String.format(Locale.ROOT, "%.1f %% of the queue in use", report.notificationQueueUsage() * 100));
        relays(text);
        types(text);
        return text.toString();
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append(String.format("%-14s%s%n", name, value));
    }

    private static String age(@Nullable Duration oldest) {
        return oldest == null ? "" : ", the oldest for " + Durations.rounded(oldest);
    }

    private void relays(StringBuilder text) {
        if (report.relays().isEmpty()) {
            line(text, "relays", "none listens");
        }
        for (RelaySession relay : report.relays()) {
            String from = relay.clientAddress() == null ? "" : " from " + relay.clientAddress();
            line(
                    text,
                    "relay",
                    Printable.of(relay.name()) + from + ", listens since "
                            + relay.since().truncatedTo(ChronoUnit.SECONDS)
                            + (relay.isAsleep() ? ", asleep" : ""));
        }
    }

    private void types(StringBuilder text) {
        for (TypeCount type : types) {
            String name = Printable.of(type.eventType());
            line(text, "pending type", String.format(Locale.ROOT, "%,d %s", type.pending(), name));
        }
    }

    String json() {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("read_at", report.readAt().toString());
        fields.put("pending", count(report.pending()));
        fields.put("oldest_pending_age_seconds", seconds(report.oldestPendingAge()));
        fields.put("dead_letters", count(report.deadLetters()));
        fields.put("oldest_dead_letter_age_seconds", seconds(report.oldestDeadLetterAge()));
        fields.put("slots_busy", report.slotsBusy());
        fields.put("notification_queue_usage", report.notificationQueueUsage());
        fields.put("relays", report.relays().stream().map(StatusReading::relay).toList());
        fields.put("pending_by_type", types.stream().map(StatusReading::type).toList());
        return Json.line(fields);
    }

    private static Map<String, Object> count(BoundedCount count) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("value", count.value());
        fields.put("exact", count.isExact());
        return fields;
    }

    private static @Nullable Double seconds(@Nullable Duration age) {
        return age == null ? null : age.toMillis() / 1000.0;
    }

    private static Map<String, @Nullable Object> relay(RelaySession relay) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("name", relay.name());
        fields.put("pid", relay.pid());
        fields.put("client_address", relay.clientAddress());
        fields.put("since", relay.since().toString());
        fields.put("asleep", relay.isAsleep());
        return fields;
    }

    private static Map<String, Object> type(TypeCount type) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("event_type", type.eventType());
        fields.put("pending", type.pending());
        return fields;
    }
}
