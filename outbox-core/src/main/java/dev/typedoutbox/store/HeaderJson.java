package dev.typedoutbox.store;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jooq.JSONB;
import org.jspecify.annotations.Nullable;

/**
 * Reads the headers column. Rows written by other programs may hold any JSON object there; what is neither text nor a whole
 * number nor a boolean becomes text as the database spells it, and null is left out, so that no row is stuck for its
 * headers. For the same reason nothing is too long or too deep to be read.
 */
final class HeaderJson {
    private static final JsonFactory JSON = JsonFactory.builder()
            // Names made to collide would fill the table of known names, which then throws.
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private HeaderJson() {}

    static Map<String, Object> read(@Nullable JSONB column) {
        if (column == null) {
            return Map.of();
        }
        Map<String, Object> headers = new LinkedHashMap<>();
        try (JsonParser parser = JSON.createParser(column.data())) {
            parser.nextToken();
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                if (parser.nextToken() != JsonToken.VALUE_NULL) {
                    headers.put(name, value(parser, column.data()));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("jsonb column headers held no JSON", e);
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
}
