package dev.typedoutbox.relay;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sums up what the workers report, and writes one line for each change. */
final class RelayStates {
    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);

    private static final List<RelayState> SUMMARY = List.of(
            RelayState.RUNNING, RelayState.WAITING_FOR_DATABASE, RelayState.WAITING_FOR_BROKER, RelayState.STARTING);

    private final String relay;
    private final RelayState[] ofWorkers;
    private final boolean[] idle;
    private final String[] reasons;
    private final List<RelayStateListener> listeners = new CopyOnWriteArrayList<>();
    private volatile RelayState state = RelayState.STOPPED;

    RelayStates(String relay, int workers) {
        this.relay = relay;
        this.ofWorkers = new RelayState[workers];
        this.idle = new boolean[workers];
        this.reasons = new String[workers];
        Arrays.fill(reasons, "");
    }

    void add(RelayStateListener listener) {
        listeners.add(listener);
    }

    RelayState state() {
        return state;
    }

    synchronized void setAll(RelayState all) {
        Arrays.fill(ofWorkers, all);
        Arrays.fill(idle, false);
        Arrays.fill(reasons, "");
        change(all, "");
    }

    /**
     * A relay runs when one of its workers does; otherwise it waits for what most of it depends on. A worker that has
     * published tells more of the broker than those that waited for it before and have not tried again yet.
     */
    synchronized void set(int worker, RelayState ofWorker, String reason) {
        if (ofWorker == RelayState.RUNNING) {
            brokerIsThere();
        }
        report(worker, ofWorker, false, reason);
    }

    private void brokerIsThere() {
        for (int worker = 0; worker < ofWorkers.length; worker++) {
            if (ofWorkers[worker] == RelayState.WAITING_FOR_BROKER) {
                ofWorkers[worker] = RelayState.RUNNING;
                idle[worker] = true;
                reasons[worker] = "";
            }
        }
    }

    /** A worker that found nothing to send has reached the database, and knows nothing of the broker. */
    synchronized void idle(int worker) {
        report(worker, RelayState.RUNNING, true, "");
    }

    private void report(int worker, RelayState ofWorker, boolean isIdle, String reason) {
        if (state != RelayState.STOPPED) {
            ofWorkers[worker] = ofWorker;
            idle[worker] = isIdle;
            reasons[worker] = reason;
            RelayState next = summary();
            change(next, reasonOf(next, worker));
        }
    }

    /** The reason of a worker that is in this state; of several, of the one that has just spoken. */
    private String reasonOf(RelayState next, int latest) {
        return IntStream.concat(IntStream.of(latest), IntStream.range(0, ofWorkers.length))
                .filter(worker -> ofWorkers[worker] == next)
                .mapToObj(worker -> reasons[worker])
                .findFirst()
                .orElse("");
    }

    private RelayState summary() {
        List<RelayState> all = List.of(ofWorkers);
        boolean busyOneRuns = IntStream.range(0, ofWorkers.length)
                .anyMatch(worker -> ofWorkers[worker] == RelayState.RUNNING && !idle[worker]);
        if (all.contains(RelayState.RUNNING) && !busyOneRuns && all.contains(RelayState.WAITING_FOR_BROKER)) {
            return RelayState.WAITING_FOR_BROKER;
        }
        return SUMMARY.stream().filter(all::contains).findFirst().orElseThrow();
    }

    private static void tell(RelayStateListener listener, RelayState state, String reason) {
        try {
            listener.stateChanged(state, reason);
        } catch (Throwable e) {
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
                .addKeyValue("relay", relay)
                .addKeyValue("state", next)
                .log("relay is " + next + (reason.isEmpty() ? "" : ": " + reason));
        listeners.forEach(listener -> tell(listener, next, reason));
    }
}
