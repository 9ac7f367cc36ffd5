package dev.typedoutbox.relay;

/**
 * What a relay is doing.
 *
 * @since 0.1.0
 */
public enum RelayState {
    /** Not started, or closed. */
    STOPPED,
    /** Started, and not yet connected to both the database and the broker. */
    STARTING,
    /** Publishing, or waiting for something to publish. */
    RUNNING,
    /** The broker cannot be reached or blocks its publishers; the outbox grows meanwhile. */
    WAITING_FOR_BROKER,
    /** The database cannot be reached or refuses the relay's work. */
    WAITING_FOR_DATABASE
}
