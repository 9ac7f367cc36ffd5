package dev.typedoutbox.testkit.outbox;

import dev.typedoutbox.OutboxEvent;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How events are told of in a failure.
 *
 * @param place what they are in, such as "the outbox"
 * @param stateOf what is said of an event besides its type and aggregate; empty or with a blank before it
 */
record Listing(String place, Function<OutboxEvent, String> stateOf) {
    private static final int MOST_LINES = 20;
    private static final int MOST_CHARACTERS = 500;

    static Listing plain(String place) {
        return new Listing(place, event -> "");
    }

    static Listing ofRows(String place, List<StoredEvent> rows) {
        Map<UUID, StoredEvent> byId =
                rows.stream().collect(Collectors.toMap(row -> row.event().id(), Function.identity()));
        return new Listing(place, event -> state(byId.get(event.id())));
    }

    Listing at(String other) {
        return new Listing(other, stateOf);
    }

    /**
     * Tells what was expected and what is there instead.
     *
     * @param expected such as "2 events"
     * @param which the events of which this was expected, such as "of one type"; empty for all
     * @param there those events
     */
    String failure(String expected, String which, List<OutboxEvent> there) {
        String found = there.isEmpty() ? "it has none" : "its events" + after(which) + " are:" + lines(there);
        return "Expecting " + place + " to have " + expected + after(which) + ", but " + found;
    }

    private static String after(String words) {
        return words.isEmpty() ? "" : " " + words;
    }

    /** One line for each event, the first ones only if there are many. */
    private String lines(List<OutboxEvent> events) {
        String lines = events.stream().limit(MOST_LINES).map(this::line).collect(Collectors.joining());
        int more = events.size() - MOST_LINES;
        return more > 0 ? lines + "\n  and " + more + " more" : lines;
    }

    private String line(OutboxEvent event) {
        String headers = event.headers().isEmpty() ? "" : " with headers " + event.headers();
        return "\n  " + event.eventType() + " of " + event.aggregateType() + " " + event.aggregateId()
                + stateOf.apply(event) + ": " + shortened(event.payloadAsText()) + headers;
    }

    private static String shortened(String payload) {
        return payload.length() <= MOST_CHARACTERS
                ? payload
                : payload.substring(0, MOST_CHARACTERS) + "... (" + payload.length() + " characters)";
    }

    private static String state(@Nullable StoredEvent row) {
        if (row == null) {
            return "";
        }
        String state = switch (row.state()) {
            case DUE -> " (due";
            case WAITING -> " (waiting for its retry";
            case PROCESSED -> " (processed";
            case DEAD -> " (dead";
        };
        String attempts = row.attempts() > 0 ? ", failed attempts: " + row.attempts() : "";
        String error = row.lastError() == null ? "" : ", last error: " + row.lastError();
        return state + attempts + error + ")";
    }
}
