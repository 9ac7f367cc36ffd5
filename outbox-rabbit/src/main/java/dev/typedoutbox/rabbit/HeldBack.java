package dev.typedoutbox.rabbit;

import dev.typedoutbox.rabbit.Received.Line;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The messages that wait for another attempt, and those behind them in their aggregates. They stay unacknowledged, so the
 * prefetch count bounds them. Used by the channel's thread alone.
 */
final class HeldBack {
    private final Map<Line, Waiting> lines = new LinkedHashMap<>();

    private static final class Waiting {
        private final Deque<Received> messages = new ArrayDeque<>();
        private long dueAt = System.nanoTime();

        boolean isDue(long now) {
            return now - dueAt >= 0;
        }
    }

    boolean isHeld(Line line) {
        return lines.containsKey(line);
    }

    /** Joins the end of a line that is there. */
    void append(Received message) {
        line(message).messages.addLast(message);
    }

    /** Stands before all others of its line, which is due at once if it is new. */
    void putFirst(Received message) {
        line(message).messages.addFirst(message);
    }

    /** Stands before all others of its line, which waits. */
    void putFirst(Received message, long delayNanos) {
        putFirst(message);
        line(message).dueAt = System.nanoTime() + delayNanos;
    }

    private Waiting line(Received message) {
        return lines.computeIfAbsent(message.line(), line -> new Waiting());
    }

    /** Takes the first of its line away, if it is there; those behind it stay and wait as before. */
    void remove(Received message) {
        Waiting waiting = lines.get(message.line());
        if (waiting != null && waiting.messages.peekFirst() == message) {
            waiting.messages.removeFirst();
        }
    }

    /** Takes the first of its line away, if it is there, and lets those behind it go on at once. */
    void release(Received message) {
        remove(message);
        Waiting waiting = lines.get(message.line());
        if (waiting != null) {
            waiting.dueAt = System.nanoTime();
            if (waiting.messages.isEmpty()) {
                lines.remove(message.line());
            }
        }
    }

    /** Takes messages whose time has come, each line's in their order. A suspect comes alone. */
    List<Received> takeDue(int limit) {
        List<Received> due = new ArrayList<>();
        long now = System.nanoTime();
        for (Iterator<Waiting> rest = lines.values().iterator(); rest.hasNext() && !isFull(due, limit); ) {
            Waiting waiting = rest.next();
            while (waiting.isDue(now) && !waiting.messages.isEmpty() && !isFull(due, limit)) {
                if (!due.isEmpty() && waiting.messages.getFirst().isSuspect()) {
                    return due;
                }
                due.add(waiting.messages.removeFirst());
            }
            if (waiting.messages.isEmpty()) {
                rest.remove();
            }
        }
        return due;
    }

    private static boolean isFull(List<Received> batch, int limit) {
        return batch.size() >= limit || (batch.size() == 1 && batch.get(0).isSuspect());
    }

    /** How long until the next line is due, at most the given time. */
    long nanosToNext(long longest) {
        long now = System.nanoTime();
        long next = longest;
        for (Waiting waiting : lines.values()) {
            next = Math.min(next, Math.max(0, waiting.dueAt - now));
        }
        return next;
    }
}
