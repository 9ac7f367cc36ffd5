package dev.typedoutbox.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What one batch of a purge deleted.
 *
 * @param records how many
 * @param newest the time of the youngest of them; null if there are none
 */
record PurgedBatch(int records, @Nullable Instant newest) {
    static final PurgedBatch NOTHING = new PurgedBatch(0, null);
}
