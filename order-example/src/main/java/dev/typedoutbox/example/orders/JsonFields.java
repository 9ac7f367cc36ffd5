package dev.typedoutbox.example.orders;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The properties of one JSON object; each refusal names property, rule and value. */
final class JsonFields {
    private static final int LONGEST_VALUE_SHOWN = 60;
    private static final int MOST_DIGITS = 12;

    private final String path;
    private final JsonNode object;

    private JsonFields(String path, JsonNode object) {
        this.path = path;
        this.object = object;
    }

    static JsonFields ofBody(byte[] body) {
        JsonNode root = Json.toTree(body);
        if (!root.isObject()) {
            throw new InvalidOrderException("body must be a JSON object (was " + shown(root) + ")");
        }
        return new JsonFields("", root);
    }

    String text(String name, int longest) {
        String text = textOrNull(name, longest);
        if (text == null || text.isBlank()) {
            throw broken(name, textRule(longest));
        }
        return text;
    }

    @Nullable
    String textOrNull(String name, int longest) {
        JsonNode value = object.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return null;
        }
        if (!value.isTextual() || value.textValue().codePoints().count() > longest) {
            throw broken(name, textRule(longest));
        }
        if (value.textValue().codePoints().anyMatch(JsonFields::isUnstorable)) {
            throw new InvalidOrderException(path + name + " must be Unicode text without U+0000 (was not)");
        }
        return value.textValue();
    }

    /** A text that is looked up rather than kept, so that only its reader knows what is wrong with it; empty if it is none. */
    String code(String name) {
        return Objects.requireNonNullElse(object.path(name).textValue(), "");
    }

    int wholeNumber(String name, int most) {
        JsonNode value = object.path(name);
        if (!value.isIntegralNumber() || !value.canConvertToInt() || value.intValue() < 1 || value.intValue() > most) {
            throw broken(name, "a whole number from 1 to " + most);
        }
        return value.intValue();
    }

    BigDecimal price(String name, Currency currency) {
        JsonNode value = object.path(name);
        if (!value.isNumber() || value.decimalValue().signum() < 0) {
            throw broken(name, "a number, 0 or more");
        }
        BigDecimal price = value.decimalValue().stripTrailingZeros();
        int decimals = currency.getDefaultFractionDigits();
        // Asked before anything is written out: 1e999999999 has a billion digits.
        if ((long) price.precision() - price.scale() > MOST_DIGITS || price.scale() > decimals) {
            throw broken(
                    name,
                    "a number with at most " + MOST_DIGITS + " digits before and " + decimals
                            + " after the decimal point in " + currency.getCurrencyCode());
        }
        return price.setScale(decimals);
    }

    List<JsonFields> objects(String name, int most) {
        JsonNode list = object.path(name);
        if (!list.isArray() || list.isEmpty() || list.size() > most) {
            throw broken(name, "a list of 1 to " + most + " objects");
        }
        return IntStream.range(0, list.size())
                .mapToObj(i -> element(path + name + "[" + i + "]", list.get(i)))
                .toList();
    }

    InvalidOrderException broken(String name, String rule) {
        return new InvalidOrderException(path + name + " must be " + rule + " (was " + shown(object.path(name)) + ")");
    }

    private static JsonFields element(String path, JsonNode value) {
        if (!value.isObject()) {
            throw new InvalidOrderException(path + " must be an object (was " + shown(value) + ")");
        }
        return new JsonFields(path + ".", value);
    }

    private static String textRule(int longest) {
        return "a text of 1 to " + longest + " characters";
    }

    /** What PostgreSQL's text cannot hold: the zero character and half a surrogate pair. */
    private static boolean isUnstorable(int codePoint) {
        return codePoint == 0 || (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE);
    }

    private static String shown(JsonNode value) {
        if (value.isMissingNode()) {
            return "missing";
        }
        String text = value.toString();
        int points = text.codePointCount(0, text.length());
        return points <= LONGEST_VALUE_SHOWN
                ? text
                : text.substring(0, text.offsetByCodePoints(0, LONGEST_VALUE_SHOWN)) + "...";
    }
}
