package dev.typedoutbox.standalone;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What has been opened, to be closed in the opposite order, each whatever the others do. Used by one thread. */
final class Closing implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Closing.class);

    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    <T extends AutoCloseable> T add(T opened) {
        open.push(opened);
        return opened;
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            AutoCloseable next = open.pop();
            try {
                next.close();
            } catch (Exception | Error e) {
                LOG.error("not closed in good order", e);
            }
        }
    }
}
