package dev.typedoutbox.store;

import java.time.Duration;
import java.util.UUID;
import org.jooq.types.DayToSecond;
import org.jspecify.annotations.Nullable;

/**
 * A failed attempt to publish an event, as it is recorded in its row.
 *
 * @param error why; cut to what the column takes
 * @param retryIn how long until the next attempt; null makes the event a dead letter
 */
public record Failure(UUID id, String error, @Nullable Duration retryIn) {
    /** How many characters of a reason are kept. */
    public static final int MAX_ERROR_LENGTH = 2_000;

    public Failure {
        // PostgreSQL's text cannot hold U+0000.
        error = bounded(error).replace('\0', ' ');
    }

    /** As much of a reason as is kept. */
    public static String bounded(String reason) {
        return reason.codePointCount(0, reason.length()) > MAX_ERROR_LENGTH
                ? reason.substring(0, reason.offsetByCodePoints(0, MAX_ERROR_LENGTH))
                : reason;
    }

    @Nullable
    DayToSecond retryInterval() {
        return retryIn == null ? null : DayToSecond.valueOf(retryIn);
    }
}
