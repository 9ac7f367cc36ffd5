package dev.typedoutbox.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.LongString;
import dev.typedoutbox.OutboxEvent;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** How an event looks as a message, in both directions. Described in docs/wire-format.md, and pinned by a test. */
final class WireFormat {
    static final String AGGREGATE_TYPE = "aggregate_type";
    static final String AGGREGATE_ID = "aggregate_id";
    static final String SEQ = "seq";

    /** The headers of every message; they fit the smallest frame that AMQP allows. */
    static final int OWN_HEADERS = 3;

    private static final String JSON = "application/json";
    private static final int PERSISTENT = 2;

    private WireFormat() {}

    static BasicProperties properties(OutboxEvent event) {
        Map<String, Object> headers = new LinkedHashMap<>(event.headers());
        headers.put(AGGREGATE_TYPE, event.aggregateType());
        headers.put(AGGREGATE_ID, event.aggregateId());
        headers.put(SEQ, event.seq());
        return new BasicProperties.Builder()
                .messageId(event.id().toString())
                .type(event.eventType())
                .contentType(JSON)
                .deliveryMode(PERSISTENT)
                .timestamp(Date.from(event.createdAt()))
                .headers(headers)
                .build();
    }

    /**
     * Reads a message, which another producer may have sent.
     *
     * @throws UnreadableMessageException if it has no UUID as its message id
     */
    static OutboxEvent event(Delivery delivery) {
        BasicProperties properties = delivery.getProperties();
        Map<String, Object> headers = readable(properties.getHeaders());
        String aggregateType = text(headers.remove(AGGREGATE_TYPE));
        String aggregateId = text(headers.remove(AGGREGATE_ID));
        Object seq = headers.remove(SEQ);
        Date timestamp = properties.getTimestamp();
        String type = properties.getType();
        return OutboxEvent.builder(messageId(properties.getMessageId()))
                .aggregate(aggregateType, aggregateId, seq instanceof Long number ? number : 0)
                .eventType(type == null ? delivery.getEnvelope().getRoutingKey() : type)
                .headers(headers)
                .createdAt(timestamp == null ? Instant.EPOCH : timestamp.toInstant())
                .payload(delivery.getBody())
                .build();
    }

    private static UUID messageId(@Nullable String messageId) {
        if (messageId == null) {
            throw new UnreadableMessageException("message-id must be a UUID (was missing)");
        }
        try {
            return UUID.fromString(messageId);
        } catch (IllegalArgumentException e) {
            throw new UnreadableMessageException("message-id must be a UUID (was \"" + printable(messageId) + "\")");
        }
    }

    /** Another producer's text is not to make lines of its own in the log. */
    private static String printable(String text) {
        return text.replaceAll("\\p{Cntrl}", "\uFFFD");
    }

    private static Map<String, Object> readable(@Nullable Map<String, @Nullable Object> headers) {
        Map<String, Object> readable = new LinkedHashMap<>();
        if (headers != null) {
            headers.forEach((name, value) -> {
                if (value != null) {
                    readable.put(name, readable(value));
                }
            });
        }
        return readable;
    }

    private static Object readable(Object value) {
        if (value instanceof Boolean || value instanceof Long) {
            return value;
        }
        if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).longValue();
        }
        return value instanceof LongString text ? text.toString() : String.valueOf(value);
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }
}
