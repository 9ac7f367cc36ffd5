package dev.typedoutbox.relay;

import dev.typedoutbox.store.OutboxStore;
import dev.typedoutbox.store.PendingEvent;
import java.util.List;
import org.jooq.DSLContext;

/** The work of one transaction: lock slots, fetch, publish, settle. */
final class Batch {
    private final OutboxStore store;
    private final RelayConfig config;
    private final RelayLog log = new RelayLog();
    private Verdicts verdicts = new Verdicts();

    Batch(OutboxStore store, RelayConfig config) {
        this.store = store;
        this.config = config;
    }

    BatchResult run(DSLContext tx, PublisherSession session) {
        Fetch fetch = new Fetch(store, config, tx, log);
        List<PendingEvent> events = fetch.events();
        if (!events.isEmpty()) {
            verdicts = new Waves(session, config).publish(events);
        }
        int dead = new Settlement(store, config, tx, log).settle(verdicts);
        return verdicts.result(events.size(), dead).withGivenUp(fetch.givenUp());
    }

    /** What is to be logged when the transaction has committed. */
    RelayLog log() {
        return log;
    }

    /** What the broker said, empty before it was asked; still known when the transaction has failed. */
    Verdicts verdicts() {
        return verdicts;
    }
}
