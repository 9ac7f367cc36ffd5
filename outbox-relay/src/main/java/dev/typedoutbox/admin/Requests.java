package dev.typedoutbox.admin;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.io.IOException;
import java.util.UUID;
import java.util.function.Supplier;

/** What requests carry, checked, and how they are answered. */
final class Requests {
    private static final ObjectReader READER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS, DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .build()
            .reader();

    private static final int UUID_LENGTH = 36;

    private Requests() {}

    static void answer(Context context, JsonNode value) {
        context.contentType("application/json").result(value.toString());
    }

    static UUID id(Context context) {
        String id = context.pathParam("id");
        try {
            // The JDK takes shorter forms, of which several are one and the same.
            if (id.length() == UUID_LENGTH) {
                return UUID.fromString(id);
            }
        } catch (IllegalArgumentException e) {
            // Told below, like one that is too short.
        }
        throw bad("id must be a UUID (was " + id + ")");
    }

    static long number(Context context, String name, long least, long most, long otherwise) {
        String text = context.queryParam(name);
        if (text == null) {
            return otherwise;
        }
        try {
            long number = Long.parseLong(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Told below, like one that is out of bounds.
        }
        throw bad(name + " must be a whole number from " + least + " to " + most + " (was " + text + ")");
    }

    static JsonNode body(Context context) {
        try {
            return READER.readTree(context.bodyAsBytes());
        } catch (IOException e) {
            throw bad("body must be JSON in UTF-8 (was not)");
        }
    }

    static String reason(JsonNode body) {
        JsonNode reason = body.path("reason");
        if (!reason.isTextual()) {
            throw bad("reason must be a text (was not)");
        }
        return reason.textValue().strip();
    }

    /** For what the library finds fault with in what was asked for. */
    static <T> T checked(Supplier<T> work) {
        try {
            return work.get();
        } catch (IllegalArgumentException e) {
            throw bad(String.valueOf(e.getMessage()));
        }
    }

    private static Refusal bad(String message) {
        return new Refusal(HttpStatus.BAD_REQUEST, message);
    }
}
