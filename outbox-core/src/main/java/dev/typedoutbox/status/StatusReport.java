package dev.typedoutbox.status;

import dev.typedoutbox.store.Slots;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How an outbox was doing at one moment. All times are the database's.
 *
 * @param readAt the moment
 * @param pending how many events are still to be sent, those that wait for their retry included
 * @param oldestPendingAge how long ago the oldest of them was written; null if there are none
 * @param deadLetters how many dead letters there are
 * @param oldestDeadLetterAge how long ago the first of them, in the order of writing, was given up; null if there are none
 * @param slotsBusy how many of the {@value #SLOTS} slots a batch of some relay holds
 * @param relays the relays of this outbox that listen, the one that connected first at the front
 * @param notificationQueueUsage how full the server's queue of notifications is, from 0 to 1; when it is full, commits that
 *     notify fail. It fills up while some session listens and stays in a transaction
 * @since 0.1.0
 */
public record StatusReport(
        Instant readAt,
        BoundedCount pending,
        @Nullable Duration oldestPendingAge,
        BoundedCount deadLetters,
        @Nullable Duration oldestDeadLetterAge,
        int slotsBusy,
        List<RelaySession> relays,
        double notificationQueueUsage) {
    /** How many slots an outbox has: {@value}. */
    public static final int SLOTS = Slots.COUNT;

    /**
     * Copies the list.
     *
     * @param readAt the moment
     * @param pending how many events are still to be sent
     * @param oldestPendingAge how long ago the oldest of them was written
     * @param deadLetters how many dead letters there are
     * @param oldestDeadLetterAge how long ago the first of them was given up
     * @param slotsBusy how many slots are held
     * @param relays the relays that listen
     * @param notificationQueueUsage how full the server's queue of notifications is
     */
    public StatusReport {
        relays = List.copyOf(relays);
    }
}
