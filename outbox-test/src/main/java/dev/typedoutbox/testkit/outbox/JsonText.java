package dev.typedoutbox.testkit.outbox;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import dev.typedoutbox.InvalidEventException;
import dev.typedoutbox.OutboxEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jooq.JSONB;
import org.jspecify.annotations.Nullable;

/** JSON as the library itself reads it. */
final class JsonText {
    /** The database keeps the value of a number, and not always the way it was written: 1e2 becomes 100. */
    private static final Comparator<JsonNode> BY_VALUE = (one, other) -> one.isNumber() && other.isNumber()
            ? one.decimalValue().compareTo(other.decimalValue())
            : one.toString().compareTo(other.toString());

    /** Bounded in nothing: PostgreSQL's limits for numbers and nesting are others than the parser's. */
    private static final JsonFactory HEADERS = JsonFactory.builder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

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

    /** As the relay reads them: what is neither text nor a whole number nor a boolean becomes text as the database spells it. */
    static Map<String, Object> headers(@Nullable JSONB column) {
        Map<String, Object> headers = new LinkedHashMap<>();
        if (column != null) {
            try (JsonParser parser = HEADERS.createParser(column.data())) {
                parser.nextToken();
                for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                    if (parser.nextToken() != JsonToken.VALUE_NULL) {
                        headers.put(name, value(parser, column.data()));
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException("jsonb column headers held no JSON", e);
            }
        }
        return headers;
    }

    private static Object value(JsonParser parser, String json) throws IOException {
        if (parser.currentToken().isStructStart()) {
            int start = (int) parser.currentTokenLocation().getCharOffset();
            parser.skipChildren();
            return json.substring(start, (int) parser.currentLocation().getCharOffset());
        }
        if (parser.currentToken().isBoolean()) {
            return parser.getBooleanValue();
        }
        boolean isLong = parser.currentToken() == JsonToken.VALUE_NUMBER_INT
                && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
        return isLong ? (Object) parser.getLongValue() : parser.getText();
    }

    private static OutboxEvent event(String json) {
        return OutboxEvent.builder(new UUID(0, 0))
                .payload(json.getBytes(StandardCharsets.UTF_8))
                .build();
    }
}
