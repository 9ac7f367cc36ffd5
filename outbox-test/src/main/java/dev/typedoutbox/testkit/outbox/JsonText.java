package dev.typedoutbox.testkit.outbox;

import com.fasterxml.jackson.databind.JsonNode;
import dev.typedoutbox.InvalidEventException;
import dev.typedoutbox.OutboxEvent;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jooq.JSONB;
import org.jspecify.annotations.Nullable;

/** JSON as the library itself reads it. */
final class JsonText {
    /** The database keeps the value of a number, and not always the way it was written: 1e2 becomes 100. */
    private static final Comparator<JsonNode> BY_VALUE = (one, other) -> one.isNumber() && other.isNumber()
            ? one.decimalValue().compareTo(other.decimalValue())
            : one.toString().compareTo(other.toString());

    private JsonText() {}

    static JsonNode parse(String json) {
        return event(json).payloadAsTree();
    }

    static JsonNode parseExpected(String json) {
        try {
            return parse(json);
        } catch (InvalidEventException e) {
            throw new IllegalArgumentException("json must be one JSON value (was " + json + ")", e);
        }
    }

    static boolean areEqual(JsonNode one, JsonNode other) {
        return one.equals(BY_VALUE, other);
    }

    /** As the relay reads them: whatever is neither text nor a whole number nor a boolean becomes text. */
    static Map<String, Object> headers(@Nullable JSONB column) {
        Map<String, Object> headers = new LinkedHashMap<>();
        if (column != null) {
            parse(column.data())
                    .properties()
                    .forEach(property ->
                            value(property.getValue()).ifPresent(value -> headers.put(property.getKey(), value)));
        }
        return headers;
    }

    private static Optional<Object> value(JsonNode node) {
        if (node.isNull()) {
            return Optional.empty();
        }
        if (node.isBoolean()) {
            return Optional.of(node.booleanValue());
        }
        if (node.isIntegralNumber() && node.canConvertToLong()) {
            return Optional.of(node.longValue());
        }
        return Optional.of(node.isValueNode() ? node.asText() : node.toString());
    }

    private static OutboxEvent event(String json) {
        return OutboxEvent.builder(new UUID(0, 0))
                .payload(json.getBytes(StandardCharsets.UTF_8))
                .build();
    }
}
