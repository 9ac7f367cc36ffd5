package dev.typedoutbox.status;

/**
 * How many events of one type are pending.
 *
 * @param eventType the type
 * @param pending how many
 */
public record TypeCount(String eventType, long pending) {}
