package dev.typedoutbox.standalone;

import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayState;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How the process is, for probes. Safe for use by several threads. */
final class Health {
    private static final String WORKER = "outbox-relay-";
    private static final String LISTENER = WORKER + "listener-";

    private final int workers;
    private volatile @Nullable Relay relay;
    private volatile State state = new State(RelayState.STARTING, "");

    private record State(RelayState relay, String reason) {}

    /**
     * What a probe is told.
     *
     * @param isGood whether it is as it must be
     * @param details why, to be shown
     */
    record Report(boolean isGood, Map<String, Object> details) {}

    Health(int workers) {
        this.workers = workers;
    }

    void waitsForDatabase(String reason) {
        state = new State(RelayState.WAITING_FOR_DATABASE, reason);
    }

    void watch(Relay started) {
        started.onStateChange((next, reason) -> state = new State(next, reason));
        relay = started;
    }

    /** Alive as long as no thread of the relay has ended: a server that is away is nothing that a restart would mend. */
    Report live() {
        Relay current = relay;
        boolean runs = current != null && current.state() != RelayState.STOPPED;
        int alive = workersAlive();
        return new Report(!runs || alive >= workers, Map.of("workers", alive));
    }

    /** Ready while events leave, or would if there were some. */
    Report ready() {
        State now = state;
        boolean listening = Optional.ofNullable(relay).map(Relay::isListening).orElse(false);
        return new Report(
                now.relay() == RelayState.RUNNING,
                new TreeMap<>(Map.of("state", now.relay().name(), "reason", now.reason(), "listening", listening)));
    }

    private static int workersAlive() {
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        while (root.getParent() != null) {
            root = root.getParent();
        }
        Thread[] threads = new Thread[root.activeCount() + 50];
        int number = root.enumerate(threads);
        int alive = 0;
        for (int i = 0; i < number; i++) {
            String name = threads[i].getName();
            alive += name.startsWith(WORKER) && !name.startsWith(LISTENER) ? 1 : 0;
        }
        return alive;
    }
}
