package dev.typedoutbox.status;

/**
 * How many events of one type are pending.
 *
 * @param eventType the type
 * @param pending how many
 * @since 0.1.0
 */
public record TypeCount(String eventType, long pending) {}
