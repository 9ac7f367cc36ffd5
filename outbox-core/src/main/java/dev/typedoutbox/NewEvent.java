package dev.typedoutbox;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An event that is to be written to the outbox.
 *
 * <p>Events of one aggregate (same type and id) are published in the order in which they were written, as long as their
 * writers hold a lock on the aggregate, such as the row lock of an update. Rules on length and content are checked by
 * {@link Outbox}, not here.
 *
 * <p>Two are equal if all that they were given is; they have no id yet.
 *
 * <p>Immutable, and safe for use by several threads as far as the payload object is.
 *
 * @since 0.1.0
 */
public final class NewEvent {
    private final String aggregateType;
    private final String aggregateId;
    private final String eventType;
    private final Object payload;
    private final Map<String, Object> headers;

    private NewEvent(
            String aggregateType, String aggregateId, String eventType, Object payload, Map<String, Object> headers) {
        this.aggregateType = Objects.requireNonNull(aggregateType, "aggregateType");
        this.aggregateId = Objects.requireNonNull(aggregateId, "aggregateId");
        this.eventType = Objects.requireNonNull(eventType, "eventType");
        this.payload = Objects.requireNonNull(payload, "payload");
        this.headers = headers;
    }

    /**
     * An event whose payload Jackson writes as JSON.
     *
     * @param aggregateType what kind of thing the event is about, such as {@code order}; 1 to 100 characters
     * @param aggregateId which one; 1 to 100 characters; events of one aggregate keep their order
     * @param eventType what happened, such as {@code order.created}; 1 to 100 characters; the routing key by default
     * @param payload any object that the outbox's {@code ObjectMapper} can write; a {@code String} becomes a JSON string
     * @return the event
     */
    public static NewEvent of(String aggregateType, String aggregateId, String eventType, Object payload) {
        return new NewEvent(aggregateType, aggregateId, eventType, payload, Map.of());
    }

    /**
     * An event whose payload is JSON already. The database keeps it in binary form: numbers stay exact, but white
     * space, the order of keys and all but the last of equal keys are lost.
     *
     * @param aggregateType what kind of thing the event is about, such as {@code order}; 1 to 100 characters
     * @param aggregateId which one; 1 to 100 characters; events of one aggregate keep their order
     * @param eventType what happened, such as {@code order.created}; 1 to 100 characters; the routing key by default
     * @param json one JSON value
     * @return the event
     */
    public static NewEvent ofJson(String aggregateType, String aggregateId, String eventType, String json) {
        Objects.requireNonNull(json, "json");
        return new NewEvent(aggregateType, aggregateId, eventType, new ReadyJson(json), Map.of());
    }

    /**
     * The same event with one header more, which travels as a header of the message. All headers of an event, with those
     * that are added to it, may be 64 KiB together, as JSON in UTF-8.
     *
     * @param name 1 to 255 bytes in UTF-8; not {@code aggregate_type}, {@code aggregate_id} or {@code seq}, which every
     *     message carries
     * @param value text, a boolean, or a whole number as {@code Byte}, {@code Short}, {@code Integer} or {@code Long}; any
     *     other number, a {@code UUID}, a value of {@code java.time} and an enum constant become text, as their
     *     {@code toString} has it, but a {@code BigDecimal} without an exponent
     * @return a new event; this one is unchanged
     */
    public NewEvent withHeader(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(headers);
        more.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
        return new NewEvent(aggregateType, aggregateId, eventType, payload, Collections.unmodifiableMap(more));
    }

    /**
     * Tells what kind of thing the event is about.
     *
     * @return the aggregate's type
     */
    public String aggregateType() {
        return aggregateType;
    }

    /**
     * Tells which thing the event is about.
     *
     * @return the aggregate's id
     */
    public String aggregateId() {
        return aggregateId;
    }

    /**
     * Tells what happened.
     *
     * @return the event's type
     */
    public String eventType() {
        return eventType;
    }

    /**
     * The headers as they were given.
     *
     * @return an unmodifiable map, in the order of the calls
     */
    public Map<String, Object> headers() {
        return headers;
    }

    Object payload() {
        return payload;
    }

    @Override
    public String toString() {
        return "NewEvent[" + eventType + " of " + aggregateType + " " + aggregateId + "]";
    }

    /** Marks text that is JSON, as against text that is to become a JSON string. */
    record ReadyJson(String json) {}

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof NewEvent that
                && aggregateType.equals(that.aggregateType)
                && aggregateId.equals(that.aggregateId)
                && eventType.equals(that.eventType)
                && payload.equals(that.payload)
                && headers.equals(that.headers);
    }

    @Override
    public int hashCode() {
        return Objects.hash(aggregateType, aggregateId, eventType, payload, headers);
    }
}
