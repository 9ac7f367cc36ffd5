package dev.typedoutbox.property;

import java.util.List;

/**
 * What becomes of one event that is sent.
 *
 * @param meanwhile what others do while the event is in flight
 */
record Answer(Verdict verdict, List<Action> meanwhile) {
    static final Answer CONFIRMED = new Answer(Verdict.CONFIRMED, List.of());

    enum Verdict {
        CONFIRMED,
        REFUSED,
        UNKNOWN_BUT_ARRIVED,
        UNKNOWN_AND_LOST,
        /** The connection is cut: this event and the rest of its wave are lost, and unknown. */
        CUT,
        /** The publisher breaks its contract. */
        THROWS,
        /** The event is confirmed, but the database ends the relay's session first. */
        SESSION_ENDED
    }

    @Override
    public String toString() {
        return meanwhile.isEmpty() ? verdict.toString() : verdict + " while " + meanwhile;
    }
}
