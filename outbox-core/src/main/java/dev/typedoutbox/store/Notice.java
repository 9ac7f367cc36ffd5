package dev.typedoutbox.store;

/** What a listening relay heard. */
public enum Notice {
    /** Nothing, in the time given. */
    NOTHING,
    /** There are new events. */
    NEW_EVENTS,
    /** Dead letters are to be tried again. */
    RETRIED_DEAD_LETTERS
}
