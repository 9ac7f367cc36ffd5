package dev.typedoutbox;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Makes the payload's JSON, and proves that {@code jsonb} will take it: a refusal there would abort the caller's transaction. */
final class PayloadJson {
    private final ObjectMapper mapper;
    private final int maxBytes;

    PayloadJson(ObjectMapper mapper, int maxBytes) {
        this.mapper = mapper;
        this.maxBytes = maxBytes;
    }

    String write(Object payload) {
        String json = payload instanceof NewEvent.ReadyJson ready ? ready.json() : toJson(payload);
        int bytes = json.getBytes(StandardCharsets.UTF_8).length;
        requireSize(bytes, "");
        requireStorable(json, bytes);
        // One half of a pair as an escape and the other as it is look whole when they are read, but not to the
        // database.
        TextRules.requireStorable("payload", json);
        return json;
    }

    private String toJson(Object payload) {
        try {
            return mapper.writeValueAsString(payload);
        } catch (JsonProcessingException e) {
            throw new InvalidEventException(
                    "payload must be an object that Jackson can write (was "
                            + payload.getClass().getName() + ": " + e.getOriginalMessage() + ")",
                    e);
        }
    }

    private void requireSize(long bytes, String spelling) {
        if (bytes > maxBytes) {
            throw new InvalidEventException("payload must be at most " + maxBytes + " bytes (was " + bytes + spelling
                    + "): send a reference to large content instead, or raise maxPayloadBytes");
        }
    }

    private void requireStorable(String json, int bytes) {
        try (JsonParser parser = Json.MAPPER.createParser(json)) {
            if (parser.nextToken() == null) {
                throw new InvalidEventException("payload must be one JSON value (was empty)");
            }
            requireSize(bytes + requireValueStorable(parser), " as the database may spell it");
            if (parser.nextToken() != null) {
                throw new InvalidEventException("payload must be one JSON value (was followed by another)");
            }
        } catch (JsonProcessingException e) {
            throw new InvalidEventException("payload must be valid JSON (was not: " + e.getOriginalMessage() + ")", e);
        } catch (IOException e) {
            throw new InvalidEventException("payload could not be read", e);
        }
    }

    /**
     * Returns by how much the value grows in the database at most, which writes numbers without exponents, and a space
     * after each colon and comma.
     */
    private static long requireValueStorable(JsonParser parser) throws IOException {
        int depth = 0;
        long growth = 0;
        do {
            JsonToken token = parser.currentToken();
            growth += depth > 0 && !token.isStructEnd() ? 1 : 0;
            depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            requireDepth(depth);
            if (token == JsonToken.FIELD_NAME || token == JsonToken.VALUE_STRING) {
                TextRules.requireStorable(() -> path(parser), parser.getText());
            } else if (token.isNumeric()) {
                growth += JsonNumber.requireStorable(parser.getText(), () -> path(parser));
            }
        } while (depth > 0 && parser.nextToken() != null);
        return growth;
    }

    private static void requireDepth(int depth) {
        if (depth > Json.MAX_DEPTH) {
            throw new InvalidEventException(
                    "payload must be nested at most " + Json.MAX_DEPTH + " levels deep (was deeper)");
        }
    }

    private static String path(JsonParser parser) {
        return "payload"
                + TextRules.printable(parser.getParsingContext().pathAsPointer().toString());
    }
}
