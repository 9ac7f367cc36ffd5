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
        error = error.replace('\0', ' ');
        if (error.codePointCount(0, error.length()) > LAST_ERROR_LIMIT) {
            error = error.substring(0, error.offsetByCodePoints(0, LAST_ERROR_LIMIT));
        }
    }

    @Nullable
    DayToSecond retryInterval() {
        return retryIn == null ? null : DayToSecond.valueOf(retryIn);
    }
}
