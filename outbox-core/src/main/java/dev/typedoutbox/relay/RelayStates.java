package dev.typedoutbox.relay;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sums up what the workers report, and writes one line for each change. */
final class RelayStates {
    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);

    private static final List<RelayState> SUMMARY = List.of(
            RelayState.RUNNING, RelayState.WAITING_FOR_DATABASE, RelayState.WAITING_FOR_BROKER, RelayState.STARTING);

    private final RelayState[] ofWorkers;
    private final List<RelayStateListener> listeners = new CopyOnWriteArrayList<>();
    private volatile RelayState state = RelayState.STOPPED;

    RelayStates(int workers) {
        this.ofWorkers = new RelayState[workers];
    }

    void add(RelayStateListener listener) {
        listeners.add(listener);
    }

    RelayState state() {
        return state;
    }

    synchronized void setAll(RelayState all) {
        Arrays.fill(ofWorkers, all);
        change(all, "");
    }

    /** A relay runs when one of its workers does; otherwise it waits for what most of it depends on. */
    synchronized void set(int worker, RelayState ofWorker, String reason) {
        if (state == RelayState.STOPPED) {
            return;
        }
        ofWorkers[worker] = ofWorker;
        List<RelayState> all = List.of(ofWorkers);
        change(SUMMARY.stream().filter(all::contains).findFirst().orElse(ofWorker), reason);
    }

    private static void tell(RelayStateListener listener, RelayState state, String reason) {
        try {
            listener.stateChanged(state, reason);
        } catch (RuntimeException | Error e) {
            LOG.error("a state listener failed", e);
        }
    }

    private void change(RelayState next, String reason) {
        if (next == state) {
            return;
        }
        state = next;
        boolean waits = next == RelayState.WAITING_FOR_BROKER || next == RelayState.WAITING_FOR_DATABASE;
        (waits ? LOG.atWarn() : LOG.atInfo())
                .addKeyValue("state", next)
                .log(reason.isEmpty() ? "relay changed its state" : "relay changed its state: " + reason);
        listeners.forEach(listener -> tell(listener, next, reason));
    }
}
