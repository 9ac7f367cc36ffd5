package dev.typedoutbox.standalone;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The settings of a run, all of them checked. Immutable. */
final class Settings {
    private static final long LARGEST_SECRET = 64 * 1024L;

    private final Map<Setting, Given> given;
    private final Map<Setting, Object> values = new LinkedHashMap<>();

    Settings(Map<Setting, Given> given) {
        this.given = Map.copyOf(given);
        given.forEach((setting, text) -> values.put(setting, parsed(setting, text)));
    }

    private static Object parsed(Setting setting, Given given) {
        try {
            return setting.kind().parser().apply(given.text());
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw wrong(setting, given, e);
        }
    }

    /** The library's own words for a setting of its own begin with the setting's name. */
    private static Failure wrong(Setting setting, Given given, RuntimeException refusal) {
        String words = Reason.of(refusal);
        return words.startsWith(setting.name() + " must ")
                ? Failure.usage(given.name() + words.substring(setting.name().length()))
                : wrong(setting, given, setting.kind().rule());
    }

    private static Failure wrong(Setting setting, Given given, String rule) {
        String was = setting.isSecret() ? "" : " (was \"" + Redacted.url(given.text()) + "\")";
        return Failure.usage(given.name() + " must be " + rule + was);
    }

    /** The error of a value that fits its kind, and breaks a further rule. */
    Failure wrong(Setting setting, String rule) {
        Given text = given.get(setting);
        return text == null ? missing(setting) : wrong(setting, text, rule);
    }

    private static Failure missing(Setting setting) {
        return Failure.usage(setting + " must be given (was not): set " + setting.option() + ", " + setting.variable()
                + ", or " + setting + " in the file that --config names");
    }

    /** How it was given; empty if it was not. */
    Optional<Given> given(Setting setting) {
        return Optional.ofNullable(given.get(setting));
    }

    /** Whether others on the machine can see it. */
    boolean isOnCommandLine(Setting setting) {
        return given(setting).filter(it -> it.source() == Given.Source.OPTION).isPresent();
    }

    boolean has(Setting setting) {
        return values.containsKey(setting);
    }

    String text(Setting setting) {
        return value(setting, String.class);
    }

    Optional<String> optionalText(Setting setting) {
        return has(setting) ? Optional.of(text(setting)) : Optional.empty();
    }

    long number(Setting setting) {
        return value(setting, Long.class);
    }

    int whole(Setting setting) {
        return Math.toIntExact(number(setting));
    }

    boolean flag(Setting setting) {
        return value(setting, Boolean.class);
    }

    Duration duration(Setting setting) {
        return value(setting, Duration.class);
    }

    private <T> T value(Setting setting, Class<T> type) {
        Object value = values.get(setting);
        if (value == null) {
            throw missing(setting);
        }
        return type.cast(value);
    }

    /** The secret itself, or what stands in its file, whichever was given where it counts more. */
    Optional<String> secret(Setting secret, Setting file) {
        Given itself = given.get(secret);
        Given inFile = given.get(file);
        if (itself != null && inFile != null && itself.source() == inFile.source()) {
            throw Failure.usage(
                    secret + " must be given once (was given as " + itself.name() + " and as " + inFile.name() + ")");
        }
        if (inFile == null || (itself != null && itself.isBefore(inFile))) {
            return optionalText(secret);
        }
        return Optional.of(secretIn(file));
    }

    private String secretIn(Setting setting) {
        String file = text(setting);
        try {
            Path path = Path.of(file);
            String secret = Files.size(path) > LARGEST_SECRET ? "" : Files.readString(path, StandardCharsets.UTF_8);
            String line = secret.strip();
            if (line.isEmpty() || line.chars().anyMatch(Character::isISOControl)) {
                throw wrong(setting, "a file with the secret in one line");
            }
            return line;
        } catch (IOException | IllegalArgumentException e) {
            throw Failure.usage(given(setting).map(Given::name).orElse(setting.name())
                    + " must be a file that can be read (was " + file + ": " + Reason.of(e) + ")");
        }
    }
}
