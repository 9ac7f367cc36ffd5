package dev.typedoutbox.testkit.outbox;

import com.fasterxml.jackson.databind.JsonNode;
import dev.typedoutbox.InvalidEventException;
import dev.typedoutbox.OutboxEvent;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.description.Description;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on one event among others: each asks that at least one event meets it and all that were asked before. A failure
 * lists those that met all but the last.
 *
 * <p>Not safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class EventAssert extends AbstractAssert<EventAssert, List<OutboxEvent>> {
    private final Listing listing;

    /** What was asked so far, in words; empty or with blanks between. */
    private final String asked;

    private EventAssert(List<OutboxEvent> events, Listing listing, @Nullable Description description, String asked) {
        super(events, EventAssert.class);
        this.listing = listing;
        this.asked = asked;
        getWritableAssertionInfo().description(description);
    }

    static EventAssert of(
            List<OutboxEvent> events, Listing listing, @Nullable Description description, String eventType) {
        Objects.requireNonNull(eventType, "eventType");
        return new EventAssert(events, listing, description, "")
                .narrowed(
                        "of type \"" + eventType + "\"",
                        event -> event.eventType().equals(eventType));
    }

    /**
     * Asks that it is an event of an aggregate.
     *
     * @param aggregateType the aggregate's type
     * @param aggregateId the aggregate's id
     * @return assertions on such events
     */
    public EventAssert forAggregate(String aggregateType, String aggregateId) {
        Objects.requireNonNull(aggregateType, "aggregateType");
        Objects.requireNonNull(aggregateId, "aggregateId");
        return narrowed(
                "for aggregate \"" + aggregateType + "\" \"" + aggregateId + "\"",
                event -> event.aggregateType().equals(aggregateType)
                        && event.aggregateId().equals(aggregateId));
    }

    /**
     * Asks that it has a payload. White space and the order of keys do not matter, nor how a number is written: the database
     * does not keep them.
     *
     * @param json one JSON value
     * @return assertions on such events
     * @throws IllegalArgumentException if it is not JSON
     */
    public EventAssert withPayload(String json) {
        JsonNode expected = JsonText.parseExpected(json);
        return narrowed("with payload " + json, event -> JsonText.areEqual(event.payloadAsTree(), expected));
    }

    /**
     * Asks that it has a payload that, read as an object of the same class as {@link OutboxEvent#payloadAs} does, is equal
     * to an object. For a payload that is a JSON string take {@link #withPayload}.
     *
     * @param expected the object, with an {@code equals} of its own, such as a record
     * @return assertions on such events
     */
    public EventAssert withPayloadEqualTo(Object expected) {
        Objects.requireNonNull(expected, "expected");
        return narrowed("with a payload equal to " + expected, event -> isEqual(event, expected));
    }

    private static boolean isEqual(OutboxEvent event, Object expected) {
        try {
            return expected.equals(event.payloadAs(expected.getClass()));
        } catch (InvalidEventException e) {
            // Of another class, as its listing shows.
            return false;
        }
    }

    /**
     * Asks that it has a header.
     *
     * @param name the header's name
     * @param value text, a whole number as {@code int} or {@code long}, or a boolean
     * @return assertions on such events
     */
    public EventAssert withHeader(String name, Object value) {
        Objects.requireNonNull(name, "name");
        Object expected = value instanceof Integer number ? Long.valueOf(number) : value;
        return narrowed(
                "with header " + name + "=" + value,
                event -> expected.equals(event.headers().get(name)));
    }

    /**
     * Asserts that one event alone meets all that was asked.
     *
     * @return this
     */
    public EventAssert once() {
        return times(1);
    }

    /**
     * Asserts how many events meet all that was asked.
     *
     * @param number the number; 1 or more
     * @return this
     */
    public EventAssert times(int number) {
        if (actual.size() != number) {
            String expected = number == 1 ? "1 event" : number + " events";
            failWithMessage("%s", listing.failure(expected, asked, actual));
        }
        return this;
    }

    /**
     * Asserts that one event alone meets all that was asked, and hands it over for more assertions.
     *
     * @return the event
     */
    public OutboxEvent event() {
        return once().actual.get(0);
    }

    private EventAssert narrowed(String condition, Predicate<OutboxEvent> meetsIt) {
        List<OutboxEvent> left = actual.stream().filter(meetsIt).toList();
        if (left.isEmpty()) {
            failWithMessage("%s", listing.failure("an event " + condition, asked, actual));
        }
        String both = asked.isEmpty() ? condition : asked + " " + condition;
        return new EventAssert(left, listing, getWritableAssertionInfo().description(), both);
    }
}
