package dev.typedoutbox.benchmark.contender;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where a contender works, and how. The harness hands it over in environment variables, so that no password shows among
 * the arguments of a process.
 *
 * @param jdbcUrl its own database
 * @param jdbcUser a superuser
 * @param jdbcPassword the user's password, which may be empty
 * @param amqpUri the broker, with user and password
 * @param exchange where its messages must go
 * @param queue what a {@link ConsumingContender} consumes
 * @param options what makes the difference between the variants of one contender, such as {@code workers}
 */
public record Settings(
        String jdbcUrl,
        String jdbcUser,
        String jdbcPassword,
        String amqpUri,
        String exchange,
        String queue,
        Map<String, String> options) {
    private static final String PREFIX = "CONTENDER_";

    /**
     * Reads what {@link #toEnvironment()} wrote.
     *
     * @param environment gives the value of a variable, such as {@code System::getenv}
     * @return the settings
     */
    public static Settings of(Function<String, @Nullable String> environment) {
        return new Settings(
                required(environment, "JDBC_URL"),
                required(environment, "JDBC_USER"),
                required(environment, "JDBC_PASSWORD"),
                required(environment, "AMQP_URI"),
                required(environment, "EXCHANGE"),
                required(environment, "QUEUE"),
                parseOptions(required(environment, "OPTIONS")));
    }

    /**
     * Reads options.
     *
     * @param text such as {@code workers=2,ordered=true}, or nothing
     * @return the values by their names
     */
    public static Map<String, String> parseOptions(String text) {
        return Arrays.stream(text.split(",", -1))
                .filter(option -> !option.isBlank())
                .map(option -> option.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0].trim(), pair -> pair[1].trim()));
    }

    /**
     * The environment variables that hold the settings.
     *
     * @return the values by their names
     */
    public Map<String, String> toEnvironment() {
        return Map.of(
                PREFIX + "JDBC_URL", jdbcUrl,
                PREFIX + "JDBC_USER", jdbcUser,
                PREFIX + "JDBC_PASSWORD", jdbcPassword,
                PREFIX + "AMQP_URI", amqpUri,
                PREFIX + "EXCHANGE", exchange,
                PREFIX + "QUEUE", queue,
                PREFIX + "OPTIONS",
                        options.entrySet().stream()
                                .map(option -> option.getKey() + "=" + option.getValue())
                                .collect(Collectors.joining(",")));
    }

    /**
     * An option that is a number.
     *
     * @param name its name
     * @param otherwise the value where it is not given
     * @return the value
     */
    public int number(String name, int otherwise) {
        return Integer.parseInt(options.getOrDefault(name, Integer.toString(otherwise)));
    }

    /**
     * An option that is true or false.
     *
     * @param name its name
     * @param otherwise the value where it is not given
     * @return the value
     */
    public boolean flag(String name, boolean otherwise) {
        return Boolean.parseBoolean(options.getOrDefault(name, Boolean.toString(otherwise)));
    }

    private static String required(Function<String, @Nullable String> environment, String name) {
        String value = environment.apply(PREFIX + name);
        if (value == null) {
            throw new IllegalStateException(PREFIX + name + " must be set: the harness does");
        }
        return value;
    }
}
