package dev.typedoutbox.consumer;

/**
 * What became of a delivery.
 *
 * @since 0.1.0
 */
public enum Applied {
    /** The handler ran and its work is committed, or will be with the caller's transaction. */
    APPLIED,
    /** The event had been applied before; the handler did not run. */
    DUPLICATE
}
