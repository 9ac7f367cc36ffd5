package dev.typedoutbox.property;

import dev.typedoutbox.relay.DeadLetterPolicy;
import dev.typedoutbox.relay.PublishedRows;
import dev.typedoutbox.relay.RelayConfig;
import dev.typedoutbox.relay.RetryPolicy;
import java.time.Duration;
import java.util.List;

/**
 * What stays the same in one run.
 *
 * @param slowRetry whether a refused event waits until {@link Action.TimePasses}; else it is due after 1 to 3 ms
 * @param relays at least one
 */
record Setup(Mode mode, int maxAttempts, boolean slowRetry, PublishedRows publishedRows, List<Limits> relays) {
    private static final Duration UNTIL_TIME_PASSES = Duration.ofHours(1);

    enum Mode {
        GO_ON,
        HOLD,
        UNORDERED
    }

    record Limits(int batchSize, long maxBatchBytes) {}

    boolean ordered() {
        return mode != Mode.UNORDERED;
    }

    RelayConfig config(Limits limits) {
        return RelayConfig.builder()
                .ordered(ordered())
                .deadLetterPolicy(mode == Mode.HOLD ? DeadLetterPolicy.HOLD_AGGREGATE : DeadLetterPolicy.GO_ON)
                .retryPolicy(retryPolicy())
                .publishedRows(publishedRows)
                .batchSize(limits.batchSize())
                .maxBatchBytes(limits.maxBatchBytes())
                .build();
    }

    private RetryPolicy retryPolicy() {
        return slowRetry
                ? new RetryPolicy(maxAttempts, UNTIL_TIME_PASSES, UNTIL_TIME_PASSES)
                : new RetryPolicy(maxAttempts, Duration.ofMillis(1), Duration.ofMillis(3));
    }
}
