package dev.typedoutbox;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event as it lies in the outbox, goes to the broker and reaches its consumers.
 *
 * <p>Two are equal if they have the same id, whatever else they hold.
 *
 * <p>Immutable and safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class OutboxEvent {
    /** The header {@value}: the id of the event that was being handled when this one was published. */
    public static final String CAUSATION_ID = "causation_id";

    /** The header {@value}: the same in all events that come, directly or not, of one. */
    public static final String CORRELATION_ID = "correlation_id";

    private final UUID id;
    private final long seq;
    private final String aggregateType;
    private final String aggregateId;
    private final String eventType;
    private final Map<String, Object> headers;
    private final Instant createdAt;
    private final byte[] payload;

    private OutboxEvent(Builder builder) {
        this.id = Objects.requireNonNull(builder.id, "id");
        this.seq = builder.seq;
        this.aggregateType = builder.aggregateType;
        this.aggregateId = builder.aggregateId;
        this.eventType = builder.eventType;
        this.headers = builder.headers;
        this.createdAt = builder.createdAt;
        this.payload = builder.payload;
    }

    /**
     * Begins an event, as an adapter for a broker does with a message that it received.
     *
     * @param id the outbox's id of the event
     * @return a builder whose other values are empty
     */
    public static Builder builder(UUID id) {
        return new Builder(id);
    }

    /**
     * The event's identity: the primary key of its row, the message id, and what consumers recognise a duplicate by.
     *
     * @return the id
     */
    public UUID id() {
        return id;
    }

    /**
     * The event's place in the order of its aggregate. Gaps are normal.
     *
     * @return the number, or 0 where the message came from another producer
     */
    public long seq() {
        return seq;
    }

    /**
     * Tells what kind of thing the event is about.
     *
     * @return the aggregate's type; empty where the message came from another producer
     */
    public String aggregateType() {
        return aggregateType;
    }

    /**
     * Tells which thing the event is about.
     *
     * @return the aggregate's id; empty where the message came from another producer
     */
    public String aggregateId() {
        return aggregateId;
    }

    /**
     * Tells what happened.
     *
     * @return the event's type; empty where the message has none
     */
    public String eventType() {
        return eventType;
    }

    /**
     * The event's own headers.
     *
     * @return an unmodifiable map to {@code String}, {@code Long} or {@code Boolean}
     */
    public Map<String, Object> headers() {
        return headers;
    }

    /**
     * What the event has in common with those that it comes of and those that come of it: the header
     * {@value #CORRELATION_ID}, or its own id if it has no such header, as the first of them. What another producer sent
     * under that name counts only if it could be a header of an event here and is not longer than 255 characters.
     *
     * @return the header or the id, as text
     */
    public String correlationId() {
        Object header = headers.get(CORRELATION_ID);
        String text = header == null ? "" : header.toString();
        return TextRules.isCarried(text) ? text : id.toString();
    }

    /**
     * When the transaction that wrote the event began, by the database's clock.
     *
     * @return the time; a message carries it in whole seconds; 1970-01-01T00:00:00Z where the message does not tell
     */
    public Instant createdAt() {
        return createdAt;
    }

    /**
     * The payload as UTF-8 text of one JSON value.
     *
     * @return a copy
     */
    public byte[] payload() {
        return payload.clone();
    }

    /**
     * The payload's size.
     *
     * @return bytes
     */
    public int payloadSize() {
        return payload.length;
    }

    /**
     * The payload as text.
     *
     * @return one JSON value
     */
    public String payloadAsText() {
        return new String(payload, StandardCharsets.UTF_8);
    }

    /**
     * The payload as a tree; decimal numbers are exact.
     *
     * @return the root
     * @throws InvalidEventException if the payload is not JSON, as a message from another producer may be
     */
    public JsonNode payloadAsTree() {
        return payloadAs(JsonNode.class);
    }

    /**
     * The payload as an object. Properties that the type does not know are ignored, so that a producer may add some. Numbers
     * are exact in {@code BigDecimal}, {@code BigInteger} and whole numbers that can hold them. Where another mapper is
     * needed, such as one with a module of your own, it reads {@link #payload}.
     *
     * @param type what to make of it
     * @param <T> the same
     * @return the object
     * @throws InvalidEventException if the payload is not JSON, or does not fit the type
     */
    public <T> T payloadAs(Class<T> type) {
        try {
            T value = Json.READER.forType(type).readValue(payload);
            if (value == null) {
                throw new InvalidEventException(
                        "payload of event " + id + " must be JSON of " + type.getSimpleName() + " (was null)");
            }
            return value;
        } catch (JsonProcessingException e) {
            throw new InvalidEventException(
                    "payload of event " + id + " must be JSON of " + type.getSimpleName() + " (was not: "
                            + e.getOriginalMessage() + ")",
                    e);
        } catch (InvalidEventException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            // As of the types of java.time, for numbers beyond their range.
            throw new InvalidEventException(
                    "payload of event " + id + " could not be read as " + type.getSimpleName() + ": " + e.getMessage(),
                    e);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof OutboxEvent that && id.equals(that.id);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    /** Names the event without its payload, which does not belong in logs. */
    @Override
    public String toString() {
        return "OutboxEvent[" + id + ", " + eventType + " of " + aggregateType + " " + aggregateId + ", seq " + seq
                + "]";
    }

    /** Collects the values of an {@link OutboxEvent}. Not safe for use by several threads. */
    public static final class Builder {
        private final UUID id;
        private long seq;
        private String aggregateType = "";
        private String aggregateId = "";
        private String eventType = "";
        private Map<String, Object> headers = Map.of();
        private Instant createdAt = Instant.EPOCH;
        private byte[] payload = new byte[0];

        private Builder(UUID id) {
            this.id = Objects.requireNonNull(id, "id");
        }

        /**
         * Sets the aggregate.
         *
         * @param type its type
         * @param aggregateId its id
         * @param place the event's place in the aggregate's order
         * @return this builder
         */
        public Builder aggregate(String type, String aggregateId, long place) {
            this.aggregateType = Objects.requireNonNull(type, "type");
            this.aggregateId = Objects.requireNonNull(aggregateId, "aggregateId");
            this.seq = place;
            return this;
        }

        /**
         * Sets what happened.
         *
         * @param type the event's type
         * @return this builder
         */
        public Builder eventType(String type) {
            this.eventType = Objects.requireNonNull(type, "type");
            return this;
        }

        /**
         * Sets the headers.
         *
         * @param values names to {@code String}, {@code Long} or {@code Boolean}
         * @return this builder
         */
        public Builder headers(Map<String, Object> values) {
            this.headers = Map.copyOf(values);
            return this;
        }

        /**
         * Sets when the event was written.
         *
         * @param time the time
         * @return this builder
         */
        public Builder createdAt(Instant time) {
            this.createdAt = Objects.requireNonNull(time, "time");
            return this;
        }

        /**
         * Sets the payload. The array is not copied and must not be changed afterwards.
         *
         * @param json one JSON value as UTF-8 text
         * @return this builder
         */
        public Builder payload(byte[] json) {
            this.payload = Objects.requireNonNull(json, "json");
            return this;
        }

        /**
         * Makes the event.
         *
         * @return the event
         */
        public OutboxEvent build() {
            return new OutboxEvent(this);
        }
    }
}
