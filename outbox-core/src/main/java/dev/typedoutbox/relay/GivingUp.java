package dev.typedoutbox.relay;

import dev.typedoutbox.store.AggregateKey;
import dev.typedoutbox.store.Failure;
import dev.typedoutbox.store.OutboxDsl;
import dev.typedoutbox.store.OutboxStore;
import dev.typedoutbox.store.UnreadEvent;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;

/**
 * Makes dead letters of rows that are not to be read, within savepoints: a row that the application's own triggers or
 * constraints do not let be changed must not take the batch with it.
 */
final class GivingUp {
    private final OutboxStore store;
    private final DSLContext tx;
    private int dead;
    private int unchanged;

    GivingUp(OutboxStore store, DSLContext tx) {
        this.store = store;
        this.tx = tx;
    }

    /**
     * Gives rows up, as far as the database lets it.
     *
     * @return the aggregates of the rows that stay as they are
     */
    Set<AggregateKey> giveUp(List<Loss> losses) {
        if (losses.isEmpty()) {
            return Set.of();
        }
        try {
            OutboxDsl.inSavepoint(tx, savepoint -> record(savepoint, losses));
        } catch (DataAccessException e) {
            if (!RowByRow.isFaultOfARow(e)) {
                throw e;
            }
            return losses.size() == 1 ? Set.of(unchanged(losses.get(0), e)) : eachAlone(losses);
        }
        dead += losses.size();
        losses.forEach(loss -> loss.line().run());
        return Set.of();
    }

    private void record(DSLContext savepoint, List<Loss> losses) {
        List<Failure> failures = losses.stream()
                .map(loss -> new Failure(loss.event().id(), loss.reason(), null))
                .toList();
        Settlement.requireChanged(failures.size(), store.recordFailures(savepoint, failures));
    }

    private Set<AggregateKey> eachAlone(List<Loss> losses) {
        return losses.stream().flatMap(loss -> giveUp(List.of(loss)).stream()).collect(Collectors.toSet());
    }

    private AggregateKey unchanged(Loss loss, DataAccessException cause) {
        unchanged++;
        RelayLog.uncountable(loss.event(), RowByRow.reason(cause));
        return loss.event().aggregate();
    }

    /** How many rows have become dead letters. */
    int dead() {
        return dead;
    }

    /** How many rows took no change. */
    int unchanged() {
        return unchanged;
    }

    /**
     * A row that is to be given up.
     *
     * @param line tells of it, once it was
     */
    record Loss(UnreadEvent event, String reason, Runnable line) {}
}
