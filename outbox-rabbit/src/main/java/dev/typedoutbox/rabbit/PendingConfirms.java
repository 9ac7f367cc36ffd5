package dev.typedoutbox.rabbit;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.relay.PublishOutcome;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The broker's verdicts on messages in flight on one channel. Confirms come out of order and for several at once; the
 * return of an unroutable message comes before its confirm and wins over it: the first verdict on an event stands. Called
 * by the client's threads and by the worker's.
 */
final class PendingConfirms {
    private final List<OutboxEvent> events;
    private final @Nullable PublishOutcome[] outcomes;
    /** The events sent, in the order of their tags, which the channel counts up by one. */
    private final int[] sent;

    private final Map<String, Integer> indexes = new HashMap<>();
    private final CountDownLatch open;
    private int sentCount;
    private int confirmedUpTo;
    private long firstTag;

    PendingConfirms(List<OutboxEvent> events) {
        this.events = events;
        this.outcomes = new PublishOutcome[events.size()];
        this.sent = new int[events.size()];
        this.open = new CountDownLatch(events.size());
    }

    /** To be called before the message is sent, since its confirm may be quicker than the sender. */
    synchronized void sending(int index, long tag) {
        if (sentCount == 0) {
            firstTag = tag;
        }
        sent[sentCount++] = index;
    }

    synchronized void refuse(int index, String reason) {
        resolve(index, PublishOutcome.refused(reason));
    }

    synchronized void returned(String messageId, String reason) {
        if (indexes.isEmpty()) {
            for (int i = 0; i < events.size(); i++) {
                indexes.put(events.get(i).id().toString(), i);
            }
        }
        Integer index = indexes.get(messageId);
        if (index != null) {
            resolve(index, PublishOutcome.returned(reason));
        }
    }

    synchronized void confirmed(long tag, boolean multiple, PublishOutcome outcome) {
        long position = tag - firstTag;
        if (position < 0 || position >= sentCount) {
            return;
        }
        if (!multiple) {
            resolve(sent[(int) position], outcome);
            return;
        }
        for (; confirmedUpTo <= position; confirmedUpTo++) {
            resolve(sent[confirmedUpTo], outcome);
        }
    }

    /** Ends the wait: what has no verdict by now will get none here. */
    synchronized void end(String reason) {
        for (int i = 0; i < outcomes.length; i++) {
            resolve(i, PublishOutcome.unknown(reason));
        }
    }

    /** Whether all have their verdicts; before all are sent, only {@link #end} makes it so. */
    boolean isOver() {
        return open.getCount() == 0;
    }

    boolean await(Duration timeout) throws InterruptedException {
        return open.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    synchronized PublishOutcome outcome(int index) {
        PublishOutcome outcome = outcomes[index];
        return outcome == null ? PublishOutcome.unknown("no verdict yet") : outcome;
    }

    private void resolve(int index, PublishOutcome outcome) {
        if (outcomes[index] == null) {
            outcomes[index] = outcome;
            open.countDown();
        }
    }
}
