package dev.typedoutbox.benchmark.own;

import com.rabbitmq.client.ConfirmListener;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds how many messages are under way on a channel. Confirms come out of order and several in one; the client calls this
 * with one thread.
 */
final class ConfirmWindow implements ConfirmListener {
    private final Semaphore free;
    private final AtomicLong refused = new AtomicLong();
    private final Set<Long> early = new HashSet<>();
    /** All tags below are confirmed, and of those above the early ones. */
    private long floor = 1;

    ConfirmWindow(int size) {
        free = new Semaphore(size);
    }

    void enter() throws InterruptedException {
        free.acquire();
    }

    int free() {
        return free.availablePermits();
    }

    long refused() {
        return refused.get();
    }

    @Override
    public void handleAck(long tag, boolean multiple) {
        if (!multiple) {
            early.add(tag);
            free.release();
        }
        while (early.remove(floor)) {
            floor++;
        }
        for (; multiple && floor <= tag; floor++) {
            if (!early.remove(floor)) {
                free.release();
            }
        }
    }

    @Override
    public void handleNack(long tag, boolean multiple) {
        refused.incrementAndGet();
        handleAck(tag, multiple);
    }
}
