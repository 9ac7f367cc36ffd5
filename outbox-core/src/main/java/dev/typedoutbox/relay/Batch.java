package dev.typedoutbox.relay;

import dev.typedoutbox.store.DatabaseSession;
import dev.typedoutbox.store.OutboxStore;
import dev.typedoutbox.store.PendingEvent;
import java.time.Duration;
import java.util.List;
import org.jooq.DSLContext;

/** The work of one transaction: lock slots, fetch, publish, settle. */
final class Batch {
    private final OutboxStore store;
    private final RelayConfig config;
    private final Floor floor;
    private final RelayLog log = new RelayLog();
    private Verdicts verdicts = new Verdicts();
    private int fetched;

    Batch(OutboxStore store, RelayConfig config, Floor floor) {
        this.store = store;
        this.config = config;
        this.floor = floor;
    }

    BatchReport run(DSLContext tx, DatabaseSession databaseSession, PublisherSession session) {
        Fetch fetch = new Fetch(store, config, tx, log);
        List<PendingEvent> events = fetch.events(floor.in(databaseSession));
        if (!fetch.hasWritten()) {
            floor.tend(tx, databaseSession, events.isEmpty());
        }
        if (!events.isEmpty()) {
            floor.rowsWereFetched();
            fetched = events.size();
            verdicts = new Waves(session, config).publish(events);
        }
        int dead = new Settlement(store, config, tx, log).settle(verdicts);
        BatchResult result =
                verdicts.result(fetched, dead).withGivenUp(fetch.givenUp()).withUnknown(fetch.unchanged());
        Duration lookAgainIn = result.fetched() == 0 ? lookAgainIn(tx, fetch) : Duration.ZERO;
        return new BatchReport(result, lookAgainIn, verdicts.unknown());
    }

    /** Neither a lock that is given back nor a time that has come is notified of. */
    private Duration lookAgainIn(DSLContext tx, Fetch fetch) {
        if (fetch.foundHeldRows()) {
            return config.pollInterval();
        }
        // Operators park rows by dates that are too far away to count with.
        return OutboxStore.timeToNextRetry(tx)
                .filter(time -> time.compareTo(BatchReport.NOT_KNOWN) < 0)
                .orElse(BatchReport.NOT_KNOWN);
    }

    /** What is to be logged when the transaction has committed. */
    RelayLog log() {
        return log;
    }

    /** How many events it has taken to be sent. */
    int fetched() {
        return fetched;
    }

    /** What the broker said, empty before it was asked; still known when the transaction has failed. */
    Verdicts verdicts() {
        return verdicts;
    }
}
