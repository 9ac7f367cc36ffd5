package dev.typedoutbox.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts failed attempts by the event's type, under a bounded number of labels however many types there are. */
final class FailedEvents {
    static final int MOST_TYPES = 100;

    private static final String NAME = "outbox.events.failed";
    private static final String LABEL = "event_type";
    private static final int LONGEST_TYPE = 100;

    private final MeterRegistry registry;
    private final Map<String, Counter> ofTypes = new ConcurrentHashMap<>();
    /** Both are there from the start, so that the first failure is already an increase. */
    private final Counter others;

    private final Counter unread;

    FailedEvents(MeterRegistry registry) {
        this.registry = registry;
        this.others = register("other");
        this.unread = register("unread");
    }

    void count(String eventType) {
        String type = bounded(eventType);
        Counter known = ofTypes.get(type);
        (known == null ? counterOf(type) : known).increment();
    }

    /** Those that were given up unread, or were published and could not be marked. */
    void countUnread(int events) {
        unread.increment(Math.max(0, events));
    }

    private Counter counterOf(String type) {
        // All that use one registry share its bound.
        synchronized (FailedEvents.class) {
            if (ofTypes.size() >= MOST_TYPES || (!isRegistered(type) && isFull())) {
                return others;
            }
            return ofTypes.computeIfAbsent(type, this::register);
        }
    }

    private boolean isRegistered(String type) {
        return registry.find(NAME).tag(LABEL, type).counter() != null;
    }

    private boolean isFull() {
        // The two for others and unread do not count.
        return registry.find(NAME).counters().size() >= MOST_TYPES + 2;
    }

    private Counter register(String type) {
        return Counter.builder(NAME)
                .description(
                        "Attempts to publish that were refused, and events that were given up unread or could not be marked")
                .tag(LABEL, type)
                .register(registry);
    }

    private static String bounded(String eventType) {
        return eventType.codePointCount(0, eventType.length()) > LONGEST_TYPE
                ? eventType.substring(0, eventType.offsetByCodePoints(0, LONGEST_TYPE))
                : eventType;
    }
}
