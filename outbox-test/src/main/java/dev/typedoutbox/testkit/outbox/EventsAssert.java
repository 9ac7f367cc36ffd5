package dev.typedoutbox.testkit.outbox;

import dev.typedoutbox.OutboxEvent;
import java.util.List;
import org.assertj.core.api.AbstractAssert;

/**
 * Assertions on events. A failure lists the events that are there.
 *
 * <p>Not safe for use by several threads.
 *
 * @since 0.1.0
 */
public class EventsAssert extends AbstractAssert<EventsAssert, List<OutboxEvent>> {
    private final Listing listing;

    EventsAssert(List<OutboxEvent> events, Listing listing) {
        super(events, EventsAssert.class);
        this.listing = listing;
    }

    /**
     * Asserts that there is an event of a type. What follows asks more of it.
     *
     * @param eventType the type
     * @return assertions on the events of this type, of which there is at least one
     */
    public EventAssert hasEvent(String eventType) {
        return EventAssert.of(actual, listing, getWritableAssertionInfo().description(), eventType);
    }

    /**
     * Asserts that there is no event of a type.
     *
     * @param eventType the type
     * @return this
     */
    public EventsAssert hasNoEvent(String eventType) {
        List<OutboxEvent> found = actual.stream()
                .filter(event -> event.eventType().equals(eventType))
                .toList();
        return require(found.isEmpty(), "no event", "of type \"" + eventType + "\"", found);
    }

    /**
     * Asserts how many events there are.
     *
     * @param number the number
     * @return this
     */
    public EventsAssert hasSize(int number) {
        return require(actual.size() == number, number + (number == 1 ? " event" : " events"), "", actual);
    }

    /**
     * Asserts that there are no events.
     *
     * @return this
     */
    public EventsAssert isEmpty() {
        return require(actual.isEmpty(), "no events", "", actual);
    }

    /**
     * Asserts that there are events of these types, in this order, and no others.
     *
     * @param eventTypes the types
     * @return this
     */
    public EventsAssert hasExactlyTypes(String... eventTypes) {
        List<String> expected = List.of(eventTypes);
        List<String> types = actual.stream().map(OutboxEvent::eventType).toList();
        return require(
                types.equals(expected), "exactly events of the types " + expected + " in this order", "", actual);
    }

    private EventsAssert require(boolean holds, String expected, String which, List<OutboxEvent> there) {
        if (!holds) {
            failWithMessage("%s", listing.failure(expected, which, there));
        }
        return this;
    }

    Listing listing() {
        return listing;
    }
}
