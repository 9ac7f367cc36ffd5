package dev.typedoutbox.benchmark.contender;

import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Events with the numbers 0 to {@code events - 1}.
 *
 * @param events how many
 * @param payloadBytes the size of each payload
 * @param aggregates how many aggregates they belong to, one after the other
 */
public record Backlog(long events, int payloadBytes, int aggregates) {
    /**
     * Makes one event.
     *
     * @param number its number
     * @return the event
     */
    public Event event(long number) {
        return new Event(
                number,
                Event.AGGREGATE_TYPE,
                Long.toString(number % aggregates),
                Event.TYPE,
                Payload.of(number, payloadBytes));
    }

    /**
     * All events, made as they are taken.
     *
     * @return them in the order of their numbers
     */
    public Stream<Event> stream() {
        return LongStream.range(0, events).mapToObj(this::event);
    }
}
