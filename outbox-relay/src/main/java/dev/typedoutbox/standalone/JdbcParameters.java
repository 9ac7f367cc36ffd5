package dev.typedoutbox.standalone;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * The parameters of a JDBC URL. The driver passes over those that it does not know, so that a slip in the name of one that
 * asks for TLS would leave a relay without it; and it finds some wrong values only when it connects, which looks like a
 * server that is not there.
 */
final class JdbcParameters {
    private static final Map<String, List<String>> CHOICES_BY_NAME = choicesByName();
    private static final List<String> CHECKED = List.of("sslmode", "targetServerType");

    private final Map<String, String> values = new LinkedHashMap<>();

    private JdbcParameters() {}

    /** What the driver knows, and what it lets choose from; nothing where it takes any text. */
    private static Map<String, List<String>> choicesByName() {
        String url = "jdbc:postgresql:";
        try {
            Map<String, List<String>> choices = new LinkedHashMap<>();
            for (DriverPropertyInfo known : DriverManager.getDriver(url).getPropertyInfo(url, new Properties())) {
                choices.put(known.name, known.choices == null ? List.of() : List.of(known.choices));
            }
            return choices;
        } catch (SQLException e) {
            throw new IllegalStateException("PostgreSQL's driver must be there (was not)", e);
        }
    }

    /** Of any text; one without a question mark has none. */
    static JdbcParameters of(String url) {
        JdbcParameters parameters = new JdbcParameters();
        int start = url.indexOf('?');
        if (start >= 0) {
            Arrays.stream(url.substring(start + 1).split("&", -1))
                    .filter(parameter -> !parameter.isEmpty())
                    .forEach(parameters::add);
        }
        return parameters;
    }

    /** The URL up to the first parameter that the driver does not know: it may be a password under a misspelt name. */
    static String knownPart(String url) {
        int end = url.indexOf('?') + 1;
        while (end > 0 && end < url.length()) {
            int next = url.indexOf('&', end);
            String parameter = url.substring(end, next < 0 ? url.length() : next);
            if (!parameter.isEmpty() && !CHOICES_BY_NAME.containsKey(name(parameter))) {
                return url.substring(0, end) + "***";
            }
            end = next + 1;
        }
        return url;
    }

    private static String name(String parameter) {
        int end = parameter.indexOf('=');
        return end < 0 ? parameter : parameter.substring(0, end);
    }

    private void add(String parameter) {
        String name = name(parameter);
        String value = parameter.substring(Math.min(name.length() + 1, parameter.length()));
        values.put(name, URLDecoder.decode(value, StandardCharsets.UTF_8));
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    /** What the URL must be, in words that an error goes on with, where it is not. */
    Optional<String> brokenRule() {
        return values.keySet().stream()
                .filter(name -> !CHOICES_BY_NAME.containsKey(name))
                .findFirst()
                // Not by its name, which may be the end of a password with an ampersand in it.
                .map(name -> "a URL whose parameters the driver knows" + Nearest.hint(name, CHOICES_BY_NAME.keySet()))
                .or(this::brokenRuleOfAValue);
    }

    private Optional<String> brokenRuleOfAValue() {
        return CHECKED.stream()
                .filter(name -> has(name) && !choices(name).contains(values.getOrDefault(name, "")))
                .findFirst()
                .map(name -> "a URL whose " + name + " is one of " + String.join(", ", choices(name)));
    }

    private static List<String> choices(String name) {
        return CHOICES_BY_NAME.getOrDefault(name, List.of());
    }
}
