package dev.typedoutbox.example.orders;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.util.List;
import org.jooq.JSONB;

/** JSON of the API and of the column {@code items}; amounts keep their decimals. */
final class Json {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS, DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private Json() {}

    static String toText(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("value must be one that Jackson can write", e);
        }
    }

    static JSONB toJsonb(List<Item> items) {
        return JSONB.valueOf(toText(items));
    }

    static List<Item> toItems(JSONB json) {
        try {
            return MAPPER.readValue(json.data(), new TypeReference<>() {});
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("items must be what this service wrote", e);
        }
    }

    static JsonNode toTree(byte[] body) {
        try {
            return MAPPER.readTree(body);
        } catch (IOException e) {
            throw new InvalidOrderException("body must be JSON in UTF-8 (was not: " + reason(e) + ")");
        }
    }

    private static String reason(IOException e) {
        if (!(e instanceof JsonProcessingException broken) || broken.getLocation() == null) {
            return String.valueOf(e.getMessage());
        }
        JsonLocation place = broken.getLocation();
        String what = broken.getOriginalMessage().replaceAll(" \\(start marker at .*", "");
        return what + ", line " + place.getLineNr() + ", column " + place.getColumnNr();
    }
}
