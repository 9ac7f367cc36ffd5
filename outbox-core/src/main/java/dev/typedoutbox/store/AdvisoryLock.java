package dev.typedoutbox.store;

/**
 * One of the outbox's advisory locks, as some session holds it.
 *
 * @param session the number of the session
 * @param key the lock's second key, as {@link AdvisoryLocks} names them
 * @param isExclusive whether nobody else can hold it meanwhile
 */
record AdvisoryLock(int session, int key, boolean isExclusive) {
    /** Of a slot, by a batch. */
    boolean isSlot() {
        return isExclusive && key < Slots.COUNT;
    }

    /** Exclusively: writers that look at the gate hold it shared for a moment. */
    boolean isGate() {
        return isExclusive && key == AdvisoryLocks.GATE;
    }

    boolean isListener() {
        return key == AdvisoryLocks.LISTENER;
    }
}
