package dev.typedoutbox.benchmark.contender;

/**
 * An event to write. Its number is in its payload, so that the harness can tell from the messages alone whether all
 * arrived, once each, and in order.
 *
 * @param number 0 for the first
 * @param aggregateType the same for all
 * @param aggregateId what keeps its order: an event's number modulo the count of aggregates
 * @param type the same for all
 * @param payload JSON, as PostgreSQL prints it
 */
public record Event(long number, String aggregateType, String aggregateId, String type, String payload) {
    /** The type of all aggregates: {@value}. */
    public static final String AGGREGATE_TYPE = "order";

    /** The type of all events: {@value}. */
    public static final String TYPE = "order.placed";
}
