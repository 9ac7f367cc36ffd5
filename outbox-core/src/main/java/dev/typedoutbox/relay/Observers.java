package dev.typedoutbox.relay;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * All observers of a relay; what one of them throws harms neither the relay nor the others. Safe for use by several threads.
 */
final class Observers {
    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);

    private final List<RelayObserver> observers;
    private final Set<RelayObserver> failed =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    Observers(List<RelayObserver> observers) {
        this.observers = observers;
    }

    void tell(Consumer<RelayObserver> what) {
        for (RelayObserver observer : observers) {
            try {
                what.accept(observer);
            } catch (Throwable e) {
                // Once is enough: it may fail with each batch.
                LOG.atLevel(failed.add(observer) ? Level.ERROR : Level.DEBUG)
                        .setCause(e)
                        .log("an observer of the relay failed");
            }
        }
    }
}
