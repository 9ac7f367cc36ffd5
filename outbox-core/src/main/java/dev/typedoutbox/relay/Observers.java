package dev.typedoutbox.relay;

import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All observers of a relay; what one of them throws harms neither the relay nor the others. */
final class Observers {
    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);

    private final List<RelayObserver> observers;

    Observers(List<RelayObserver> observers) {
        this.observers = observers;
    }

    void tell(Consumer<RelayObserver> what) {
        for (RelayObserver observer : observers) {
            try {
                what.accept(observer);
            } catch (RuntimeException | Error e) {
                LOG.error("an observer of the relay failed", e);
            }
        }
    }
}
