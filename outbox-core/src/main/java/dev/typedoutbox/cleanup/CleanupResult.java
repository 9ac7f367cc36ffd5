package dev.typedoutbox.cleanup;

/**
 * What a run of a {@link Cleanup} deleted. Another one may have been at work at the same time, and have left nothing.
 *
 * @param publishedEvents rows of events that were published
 * @param processedEvents records of events that were applied
 * @since 0.1.0
 */
public record CleanupResult(long publishedEvents, long processedEvents) {
    boolean isEmpty() {
        return publishedEvents == 0 && processedEvents == 0;
    }
}
