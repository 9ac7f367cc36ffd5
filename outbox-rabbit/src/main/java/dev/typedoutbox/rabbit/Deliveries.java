package dev.typedoutbox.rabbit;

import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The deliveries of one channel that are not settled yet. Many are acknowledged with one frame, but only as far as all
 * before them are done: such an acknowledgement means all up to its tag.
 */
final class Deliveries {
    private final Channel channel;
    private final NavigableSet<Long> underWay = new TreeSet<>();
    private final NavigableSet<Long> done = new TreeSet<>();

    Deliveries(Channel channel) {
        this.channel = channel;
    }

    /** Must be told of each delivery before any later one is acknowledged. */
    void came(long tag) {
        underWay.add(tag);
    }

    /** How many are neither done nor rejected. */
    int underWay() {
        return underWay.size();
    }

    /** The delivery can be acknowledged, with the next {@link #acknowledge}. */
    void done(long tag) {
        underWay.remove(tag);
        done.add(tag);
    }

    /** Leaves the message to the queue's own dead-letter exchange, at once. */
    void reject(long tag) throws IOException {
        channel.basicReject(tag, false);
        underWay.remove(tag);
    }

    void acknowledge() throws IOException {
        Long last = underWay.isEmpty() ? done.pollLast() : done.lower(underWay.first());
        if (last != null) {
            channel.basicAck(last, true);
            done.headSet(last, true).clear();
        }
        for (long tag : done) {
            channel.basicAck(tag, false);
        }
        done.clear();
    }
}
