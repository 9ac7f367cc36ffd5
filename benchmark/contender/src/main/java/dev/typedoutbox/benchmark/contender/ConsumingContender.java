package dev.typedoutbox.benchmark.contender;

import java.util.List;
import java.util.Map;

/**
 * A contender that consumes the queue {@link Settings#queue()} instead of draining an outbox into it. The harness fills the
 * queue while the contender is stopped, with messages as Typed Outbox publishes them, some of them twice; {@link #start}
 * starts the consumer and {@link #stop} stops it.
 *
 * <p>Each event must leave one row in the table of {@value #EFFECTS} in its database, in the order of its aggregate where
 * the contender has the trait {@code ordered}. Each message must be acknowledged after that row is committed, and none may be
 * left unacknowledged when the consumer has stopped. A contender with the trait {@code ceiling} has no database and only
 * acknowledges.
 */
public interface ConsumingContender extends Contender {
    /**
     * Creates the table of the effects: {@value}. It accepts an event twice, so that the harness sees what was done twice.
     */
    String EFFECTS = "create table effects (position bigint generated always as identity primary key,"
            + " event_id uuid not null, aggregate_id varchar(100) not null)";

    /**
     * Empties its tables, so that every event is new again. Called only while stopped.
     *
     * @throws Exception if that fails
     */
    void empty() throws Exception;

    /**
     * Tells how many messages the consumer is done with since it was started: their rows are committed, or had been before.
     * It may be asked a hundred times a second.
     *
     * @return how many
     */
    long consumed();

    /** Empties the tables; the backlog, which lies in the queue and not in them, has no events. */
    @Override
    default void fill(Backlog backlog) throws Exception {
        empty();
    }

    @Override
    default void write(List<Event> events) {
        throw new UnsupportedOperationException("a consumer has no outbox");
    }

    @Override
    default Map<String, String> stats() {
        return Map.of("consumed", Long.toString(consumed()));
    }
}
