package dev.typedoutbox.relay;

import dev.typedoutbox.store.OutboxDsl;
import dev.typedoutbox.store.OutboxStore;
import dev.typedoutbox.store.TransactionSettings;
import java.time.Duration;

/**
 * What a relay asks of the database, which all its workers share.
 *
 * @param dsl makes the contexts that the others are used with
 * @param store the statements of a batch
 * @param settings those of the transaction that it is done in
 */
record Queries(OutboxDsl dsl, OutboxStore store, TransactionSettings settings) {
    /** For a pause of the process, or a broker that closes a channel while the time runs out. */
    private static final Duration LEAST_MARGIN = Duration.ofSeconds(2);

    static Queries of(RelayConfig config) {
        OutboxDsl dsl = new OutboxDsl(config.schema());
        return new Queries(
                dsl,
                new OutboxStore(dsl, config.holdBack()),
                new TransactionSettings(dsl, idleInTransactionTimeout(config), config.statementTimeout()));
    }

    /**
     * When the database may end the session of a process that no longer moves; a live one is never that slow: no wave begins
     * later than one confirm time-out after the first.
     */
    private static Duration idleInTransactionTimeout(RelayConfig config) {
        Duration confirm = config.confirmTimeout();
        return confirm.multipliedBy(2).plus(confirm.compareTo(LEAST_MARGIN) > 0 ? confirm : LEAST_MARGIN);
    }
}
