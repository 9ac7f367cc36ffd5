package dev.typedoutbox.store;

/** Which events hold back the later ones of their aggregate. */
public enum HoldBack {
    /** None: no order is kept. */
    NONE,
    /** Those that wait for their retry. */
    WAITING,
    /** Those that wait for their retry, and dead letters. */
    WAITING_OR_DEAD
}
