package dev.typedoutbox.deadletter;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event that was given up: refused, or published but not to be marked, as often as the retry policy allows; too large or
 * unreadable for the relay; or marked as dead by hand.
 *
 * @param id the event's id, kept when it is retried
 * @param seq its place in the order of its aggregate
 * @param aggregateType what kind of thing it is about
 * @param aggregateId which one
 * @param eventType what happened
 * @param attempts how many attempts failed
 * @param createdAt when it was written
 * @param deadAt when it was given up
 * @param lastError why the last attempt failed; null where the row was marked as dead by hand, with no reason
 * @param bytes the size of its payload and headers as text, which is what {@link DeadLetters#event} reads
 * @since 0.1.0
 */
public record DeadLetter(
        UUID id,
        long seq,
        String aggregateType,
        String aggregateId,
        String eventType,
        int attempts,
        Instant createdAt,
        Instant deadAt,
        @Nullable String lastError,
        int bytes) {}
