package dev.typedoutbox.store;

import java.time.Duration;
import java.util.UUID;
import org.jooq.types.DayToSecond;
import org.jspecify.annotations.Nullable;

/**
 * An event that the broker refused.
 *
 * @param error why; cut to what the column takes
 * @param retryIn when to try again; null makes it a dead letter
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
