package dev.typedoutbox;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.temporal.TemporalAccessor;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes the headers' JSON: text, whole numbers and booleans, which clients in every language read. */
final class HeaderRules {
    /** Brokers cannot split headers over frames; RabbitMQ's frames are 128 KiB by default, and half is ours. */
    static final int MAX_BYTES = 64 * 1024;

    private static final Set<String> RESERVED = Set.of("aggregate_type", "aggregate_id", "seq");

    private HeaderRules() {}

    static @Nullable String toJson(Map<String, Object> headers) {
        if (headers.isEmpty()) {
            return null;
        }
        Map<String, Object> checked = new LinkedHashMap<>();
        headers.forEach((name, value) -> checked.put(requireName(name), toCarried(name, value)));
        String json = write(checked);
        int bytes = json.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            throw new InvalidEventException(
                    "headers must be at most " + MAX_BYTES + " bytes as JSON (was " + bytes + ")");
        }
        return json;
    }

    private static String requireName(@Nullable String name) {
        if (name == null || name.isEmpty()) {
            throw new InvalidEventException(
                    "header name must be 1 to 255 bytes in UTF-8 (was " + (name == null ? "null" : "empty") + ")");
        }
        if (RESERVED.contains(name)) {
            throw new InvalidEventException("header name must not be one of "
                    + RESERVED.stream().sorted().toList() + ", which every message carries (was \"" + name + "\")");
        }
        TextRules.requireShortString("header name", name);
        return name;
    }

    private static Object toCarried(String name, @Nullable Object value) {
        if (value == null) {
            throw notCarried(name, "null");
        }
        if (value instanceof Boolean) {
            return value;
        }
        if (value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).longValue();
        }
        if (isText(value)) {
            String text = value instanceof BigDecimal decimal ? plain(name, decimal) : value.toString();
            TextRules.requireStorable("header \"" + name + "\"", text);
            return text;
        }
        throw notCarried(name, value.getClass().getName());
    }

    private static InvalidEventException notCarried(String name, String was) {
        return new InvalidEventException(
                "header \"" + name + "\" must be text, a whole number, a boolean, or a UUID, time, "
                        + "enum constant or decimal number, which become text (was " + was + ")");
    }

    private static String plain(String name, BigDecimal decimal) {
        long digits = (long) decimal.precision() + Math.abs((long) decimal.scale());
        if (digits > MAX_BYTES) {
            throw new InvalidEventException("header \"" + name + "\" must have at most " + MAX_BYTES
                    + " digits when it is written without an exponent (was " + digits + ")");
        }
        return decimal.toPlainString();
    }

    private static boolean isText(Object value) {
        return value instanceof CharSequence
                || value instanceof UUID
                || value instanceof TemporalAccessor
                || value instanceof Enum<?>
                || value instanceof Number;
    }

    private static String write(Map<String, Object> headers) {
        try {
            return Json.MAPPER.writeValueAsString(headers);
        } catch (JsonProcessingException e) {
            throw new InvalidEventException("headers could not be written as JSON", e);
        }
    }
}
