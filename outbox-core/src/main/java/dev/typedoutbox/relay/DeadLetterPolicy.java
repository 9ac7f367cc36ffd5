package dev.typedoutbox.relay;

/**
 * What becomes of an aggregate when one of its events has become a dead letter.
 *
 * @since 0.1.0
 */
public enum DeadLetterPolicy {
    /** Its later events go on. Right where events stand for themselves, or where one of them repairs the gap. */
    GO_ON,
    /**
     * Its later events wait until an operator has retried or discarded the dead letter. Right where a later event makes
     * no sense without the earlier one.
     */
    HOLD_AGGREGATE
}
