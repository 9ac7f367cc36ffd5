package dev.typedoutbox.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Delivery;
import dev.typedoutbox.OutboxEvent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How an event looks as a message, in both directions. Described in docs/wire-format.md, and pinned by a test. */
final class WireFormat {
    static final String AGGREGATE_TYPE = "aggregate_type";
    static final String AGGREGATE_ID = "aggregate_id";
    static final String SEQ = "seq";

    /** The headers of every message; they fit the smallest frame that AMQP allows. */
    static final int OWN_HEADERS = 3;

    /** How often a quorum queue has delivered the message before. */
    private static final String EARLIER_DELIVERIES = "x-delivery-count";

    /** What a quorum queue adds to a message that it delivers again; the second since RabbitMQ 4.3. */
    private static final Set<String> COUNTED_BY_THE_QUEUE = Set.of(EARLIER_DELIVERIES, "x-acquired-count");

    private static final Pattern UUID_FORM = Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");
    private static final Set<String> ROUTING_HEADERS = Set.of("CC", "BCC");
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
        headers.keySet().removeAll(COUNTED_BY_THE_QUEUE);
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

    /** How often the message was delivered before and not acknowledged, as far as its queue counts that. */
    static long earlierDeliveries(BasicProperties properties) {
        Map<String, Object> headers = properties.getHeaders();
        Object count = headers == null ? null : headers.get(EARLIER_DELIVERIES);
        return count instanceof Number number ? Math.max(0, number.longValue()) : 0;
    }

    /** Why a message is given up, as headers. */
    static Map<String, Object> reasons(String queue, String reason, int failures) {
        return Map.of(
                "dead_letter_queue",
                queue,
                "dead_letter_reason",
                reason,
                "dead_letter_failures",
                failures,
                "dead_letter_at",
                Instant.now().truncatedTo(ChronoUnit.MILLIS).toString());
    }

    /**
     * The properties of a message that is given up: its own and why. Without those by which the broker would refuse it, send
     * it elsewhere as well, or throw it away after a time.
     */
    static BasicProperties deadLetter(BasicProperties properties, Map<String, Object> reasons) {
        Map<String, Object> headers = new LinkedHashMap<>();
        if (properties.getHeaders() != null) {
            headers.putAll(properties.getHeaders());
        }
        headers.keySet().removeAll(ROUTING_HEADERS);
        headers.keySet().removeAll(COUNTED_BY_THE_QUEUE);
        headers.putAll(reasons);
        return properties
                .builder()
                .headers(headers)
                .deliveryMode(PERSISTENT)
                .expiration(null)
                .userId(null)
                .build();
    }

    private static UUID messageId(@Nullable String messageId) {
        if (messageId == null) {
            throw new UnreadableMessageException("message-id must be a UUID (was missing)");
        }
        // Java reads shorter and longer forms too, several as the same UUID.
        if (!UUID_FORM.matcher(messageId).matches()) {
            throw new UnreadableMessageException(
                    "message-id must be a UUID (was \"" + Reasons.inOneLine(messageId) + "\")");
        }
        return UUID.fromString(messageId);
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
        return value instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : String.valueOf(value);
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }
}
