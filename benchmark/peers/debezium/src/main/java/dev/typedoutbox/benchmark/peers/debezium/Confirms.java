package dev.typedoutbox.benchmark.peers.debezium;

import com.rabbitmq.client.ConfirmListener;
import java.io.IOException;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The messages of a channel that the broker has not confirmed yet. */
final class Confirms implements ConfirmListener {
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final NavigableSet<Long> open = new TreeSet<>();
    private boolean refused;

    /** To be called before the message is sent, with its sequence number. */
    synchronized void expect(long number) {
        open.add(number);
    }

    /** Returns when all messages up to that one are confirmed. */
    synchronized void await(long last) throws IOException, TimeoutException, InterruptedException {
        long deadline = System.nanoTime() + TIMEOUT_NANOS;
        while (!refused && !open.headSet(last, true).isEmpty()) {
            long rest = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (rest <= 0) {
                throw new TimeoutException("confirms must come within 30 s");
            }
            wait(rest);
        }
        if (refused) {
            throw new IOException("message must not be refused by the broker");
        }
    }

    @Override
    public synchronized void handleAck(long number, boolean multiple) {
        if (multiple) {
            open.headSet(number, true).clear();
        } else {
            open.remove(number);
        }
        notifyAll();
    }

    @Override
    public synchronized void handleNack(long number, boolean multiple) {
        refused = true;
        notifyAll();
    }
}
