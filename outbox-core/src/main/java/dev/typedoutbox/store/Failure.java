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
    private static final int LAST_ERROR_LIMIT = 2000;

    public Failure {
        // PostgreSQL's text cannot hold U+0000.
        error = bounded(error).replace('\0', ' ');
    }

    /** As much of a reason as is kept. */
    public static String bounded(String reason) {
        return reason.codePointCount(0, reason.length()) > LAST_ERROR_LIMIT
                ? reason.substring(0, reason.offsetByCodePoints(0, LAST_ERROR_LIMIT))
                : reason;
    }

    @Nullable
    DayToSecond retryInterval() {
        return retryIn == null ? null : DayToSecond.valueOf(retryIn);
    }
}
