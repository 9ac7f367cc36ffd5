package dev.typedoutbox.admin;

import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayState;
import dev.typedoutbox.relay.RelayStateListener;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArraySet;

/** The relays that run in this process. */
final class LocalRelays {
    private final Set<Relay> running = new CopyOnWriteArraySet<>();

    /** A relay that is started again must not be listened to twice, and a listener cannot be taken away. */
    private final Map<Relay, LastReason> reasons = Collections.synchronizedMap(new WeakHashMap<>());

    void add(Relay relay) {
        reasons.computeIfAbsent(relay, LocalRelays::listenTo);
        running.add(relay);
    }

    private static LastReason listenTo(Relay relay) {
        LastReason reason = new LastReason();
        relay.onStateChange(reason);
        return reason;
    }

    void remove(Relay relay) {
        running.remove(relay);
    }

    List<LocalRelay> list() {
        return running.stream().map(this::describe).toList();
    }

    private LocalRelay describe(Relay relay) {
        LastReason reason = reasons.get(relay);
        return new LocalRelay(relay.name(), relay.state(), reason == null ? "" : reason.text, relay.isListening());
    }

    /**
     * A relay as the page shows it.
     *
     * @param name what it is called
     * @param state what it does
     * @param reason why it waits; empty when it does not
     * @param listening whether it hears of new events at once
     */
    record LocalRelay(String name, RelayState state, String reason, boolean listening) {}

    private static final class LastReason implements RelayStateListener {
        private volatile String text = "";

        @Override
        public void stateChanged(RelayState state, String reason) {
            text = reason;
        }
    }
}
