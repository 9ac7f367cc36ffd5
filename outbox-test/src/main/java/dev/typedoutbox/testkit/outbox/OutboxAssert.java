package dev.typedoutbox.testkit.outbox;

import dev.typedoutbox.testkit.outbox.StoredEvent.State;
import java.util.List;
import java.util.function.Predicate;

/**
 * Assertions on the rows of an outbox, whatever their state, or on those in one state. A failure lists the rows that are
 * there, with their states.
 *
 * <p>Not safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class OutboxAssert extends EventsAssert {
    private final List<StoredEvent> rows;

    OutboxAssert(List<StoredEvent> rows, String place) {
        super(rows.stream().map(StoredEvent::event).toList(), Listing.ofRows(place, rows));
        this.rows = List.copyOf(rows);
    }

    /**
     * Goes on with what is still to be sent: what is due, and what waits for its retry.
     *
     * @return assertions on these alone
     */
    public EventsAssert pending() {
        return only("pending", row -> row.state() == State.DUE || row.state() == State.WAITING);
    }

    /**
     * Goes on with what waits for its retry.
     *
     * @return assertions on these alone
     */
    public EventsAssert waiting() {
        return only("waiting", row -> row.state() == State.WAITING);
    }

    /**
     * Goes on with what was published and is still in the table, or was discarded by an operator.
     *
     * @return assertions on these alone
     */
    public EventsAssert processed() {
        return only("processed", row -> row.state() == State.PROCESSED);
    }

    /**
     * Goes on with the dead letters.
     *
     * @return assertions on these alone
     */
    public EventsAssert dead() {
        return only("dead", row -> row.state() == State.DEAD);
    }

    private EventsAssert only(String state, Predicate<StoredEvent> condition) {
        EventsAssert some = new EventsAssert(
                rows.stream().filter(condition).map(StoredEvent::event).toList(),
                listing().at("what is " + state + " in " + listing().place()));
        return some.as(getWritableAssertionInfo().description());
    }
}
