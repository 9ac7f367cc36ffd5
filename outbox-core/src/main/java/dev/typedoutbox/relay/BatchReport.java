package dev.typedoutbox.relay;

import java.time.Duration;

/**
 * What a worker needs to know of a batch.
 *
 * @param result what it did
 * @param lookAgainIn when there will be something to do that nobody tells of, after a batch that found nothing; very long
 *     if that is not known
 * @param unconfirmed how many events the broker said nothing about; the other unknown ones are rows that take no change
 */
record BatchReport(BatchResult result, Duration lookAgainIn, int unconfirmed) {
    static final Duration NOT_KNOWN = Duration.ofDays(1);

    static BatchReport of(BatchResult result, int unconfirmed) {
        return new BatchReport(result, NOT_KNOWN, unconfirmed);
    }
}
