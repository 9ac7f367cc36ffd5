package dev.typedoutbox.standalone;

import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayState;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** How the process is, for probes. Safe for use by several threads. */
final class Health {
    private volatile BooleanSupplier alive = () -> true;
    private volatile BooleanSupplier listening = () -> false;
    private volatile State state = new State(RelayState.STARTING, "");

    private record State(RelayState relay, String reason) {}

    /**
     * What a probe is told.
     *
     * @param isGood whether it is as it must be
     * @param details why, to be shown
     */
    record Report(boolean isGood, Map<String, Object> details) {}

    void waitsForDatabase(String reason) {
        state = new State(RelayState.WAITING_FOR_DATABASE, reason);
    }

    void watch(Relay started) {
        started.onStateChange((next, reason) -> state = new State(next, reason));
        watch(started::isAlive, started::isListening);
    }

    /** What the relay says of its threads, whenever it is asked. */
    void watch(BooleanSupplier relayIsAlive, BooleanSupplier relayIsListening) {
        alive = relayIsAlive;
        listening = relayIsListening;
    }

    /** Alive as long as no thread of the relay has ended: a server that is away is nothing that a restart would mend. */
    Report live() {
        boolean good = alive.getAsBoolean();
        return new Report(good, Map.of("alive", good));
    }

    /** Ready while events leave, or would if there were some. */
    Report ready() {
        State now = state;
        return new Report(
                now.relay() == RelayState.RUNNING,
                new TreeMap<>(Map.of(
                        "state", now.relay().name(), "reason", now.reason(), "listening", listening.getAsBoolean())));
    }
}
