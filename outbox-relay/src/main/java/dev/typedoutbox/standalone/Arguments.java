package dev.typedoutbox.standalone;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.UUID;
import java.util.function.Function;

/** Reads the arguments that a command has beside its settings. */
final class Arguments {
    private static final int UUID_LENGTH = 36;

    private Arguments() {}

    static Duration duration(String option, String text, Duration least, Duration most) {
        Kind kind = Kind.duration(least, most);
        return read(option, text, kind.rule(), it -> (Duration) kind.parser().apply(it));
    }

    static long whole(String option, String text, long least, long most) {
        Kind kind = Kind.whole(least, most);
        return read(option, text, kind.rule(), it -> (Long) kind.parser().apply(it));
    }

    /** A time, or how long ago it was. */
    static Instant time(String option, String text) {
        String rule = "a time such as 2026-01-31T12:00:00Z, or how long ago, such as 2h";
        return read(
                option,
                text,
                rule,
                it -> it.contains("T") && it.contains("-")
                        ? OffsetDateTime.parse(it).toInstant()
                        : Instant.now().minus(Durations.parse(it)));
    }

    /** The JDK takes shorter forms, of which several are one and the same. */
    static UUID id(String text) {
        return read("ID", text, "the UUID of an event", it -> {
            if (it.length() != UUID_LENGTH) {
                throw new IllegalArgumentException("not the whole of it");
            }
            return UUID.fromString(it);
        });
    }

    private static <T> T read(String name, String text, String rule, Function<String, T> reader) {
        try {
            return reader.apply(text);
        } catch (RuntimeException e) {
            throw Failure.usage(name + " must be " + rule + " (was \"" + text + "\")");
        }
    }
}
