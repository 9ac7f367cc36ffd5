package dev.typedoutbox.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.typedoutbox.deadletter.DeadLetterFilter;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a filter: the same names in a query and in a body. What is not understood is refused, or it would mean all. */
final class FilterReader {
    private static final String DIED_SINCE = "diedSince";
    private static final String DIED_BEFORE = "diedBefore";
    private static final Set<String> NAMES =
            Set.of("eventType", "aggregateType", "aggregateId", DIED_SINCE, DIED_BEFORE, "errorContaining");

    private FilterReader() {}

    static DeadLetterFilter fromQuery(Context context, List<String> otherNames) {
        requireKnown(context.queryParamMap().keySet().stream()
                .filter(name -> !otherNames.contains(name))
                .toList());
        return filter(context::queryParam);
    }

    static DeadLetterFilter fromBody(JsonNode filter) {
        if (!filter.isObject()) {
            throw bad("filter must be an object, {} for all dead letters (was " + kind(filter) + ")");
        }
        requireKnown(
                filter.properties().stream().map(property -> property.getKey()).toList());
        return filter(name -> text(filter, name));
    }

    private static @Nullable String text(JsonNode filter, String name) {
        JsonNode value = filter.get(name);
        if (value == null) {
            return null;
        }
        if (!value.isTextual()) {
            throw bad(name + " must be a text (was " + kind(value) + ")");
        }
        return value.textValue();
    }

    private static void requireKnown(Collection<String> names) {
        names.stream().filter(name -> !NAMES.contains(name)).findFirst().ifPresent(name -> {
            throw bad("filter must have no other properties than "
                    + String.join(", ", NAMES.stream().sorted().toList()) + " (was one named " + name + ")");
        });
    }

    private static DeadLetterFilter filter(Values values) {
        Instant since = time(DIED_SINCE, values.get(DIED_SINCE));
        Instant before = time(DIED_BEFORE, values.get(DIED_BEFORE));
        return Requests.checked(() -> new DeadLetterFilter(
                values.get("eventType"),
                values.get("aggregateType"),
                values.get("aggregateId"),
                since,
                before,
                values.get("errorContaining")));
    }

    private static @Nullable Instant time(String name, @Nullable String text) {
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeException e) {
            throw bad(name + " must be a time such as 2026-11-01T12:00:00Z (was " + text + ")");
        }
    }

    private static String kind(JsonNode value) {
        return value.isMissingNode() ? "missing" : value.getNodeType().name().toLowerCase(Locale.ROOT);
    }

    private static Refusal bad(String message) {
        return new Refusal(HttpStatus.BAD_REQUEST, message);
    }

    /** The values by their names. */
    private interface Values {
        @Nullable
        String get(String name);
    }
}
