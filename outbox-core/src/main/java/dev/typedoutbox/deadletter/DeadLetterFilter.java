package dev.typedoutbox.deadletter;

import dev.typedoutbox.store.Failure;
import dev.typedoutbox.store.RowText;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which dead letters are meant: those that meet all conditions that are not null.
 *
 * <p>Begin with {@link #ALL}: {@code DeadLetterFilter.ALL.withEventType("order.paid").diedBefore(noon)}. Immutable and safe
 * for use by several threads.
 *
 * @param eventType their type; 1 to 100 characters
 * @param aggregateType the type of their aggregate; 1 to 100 characters
 * @param aggregateId the id of their aggregate; 1 to 100 characters
 * @param diedSince they were given up then, or later
 * @param diedBefore they were given up earlier than that
 * @param errorContaining a part of why the last attempt failed, as it is written, capitals too; 1 to 2,000 characters
 * @since 0.1.0
 */
public record DeadLetterFilter(
        @Nullable String eventType,
        @Nullable String aggregateType,
        @Nullable String aggregateId,
        @Nullable Instant diedSince,
        @Nullable Instant diedBefore,
        @Nullable String errorContaining) {
    /** What the database's times reach from and to, in whole years of our era. */
    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");

    private static final Instant LAST = Instant.parse("+294276-01-01T00:00:00Z");

    /** No condition: all dead letters. */
    public static final DeadLetterFilter ALL = new DeadLetterFilter(null, null, null, null, null, null);

    /**
     * A filter with the given conditions.
     *
     * @param eventType their type
     * @param aggregateType the type of their aggregate
     * @param aggregateId the id of their aggregate
     * @param diedSince they were given up then, or later
     * @param diedBefore they were given up earlier than that
     * @param errorContaining a part of why the last attempt failed
     * @throws IllegalArgumentException if a text is empty or too long, or is none that a row can hold, or if a time is
     *     before the year 1 or after the year 294275
     */
    public DeadLetterFilter {
        requireName("eventType", eventType);
        requireName("aggregateType", aggregateType);
        requireName("aggregateId", aggregateId);
        requireTime("diedSince", diedSince);
        requireTime("diedBefore", diedBefore);
        if (errorContaining != null) {
            RowText.require("errorContaining", Failure.MAX_ERROR_LENGTH, errorContaining);
        }
    }

    private static void requireName(String property, @Nullable String name) {
        if (name != null) {
            RowText.require(property, RowText.MAX_NAME_LENGTH, name);
        }
    }

    private static void requireTime(String property, @Nullable Instant time) {
        if (time != null && (time.isBefore(FIRST) || !time.isBefore(LAST))) {
            throw new IllegalArgumentException(
                    property + " must be in the years 1 to 294275, which the database can hold (was " + time + ")");
        }
    }

    /**
     * This filter for one type of events.
     *
     * @param type 1 to 100 characters
     * @return a new filter
     * @throws IllegalArgumentException if it is empty or too long
     */
    public DeadLetterFilter withEventType(String type) {
        Objects.requireNonNull(type, "type");
        return new DeadLetterFilter(type, aggregateType, aggregateId, diedSince, diedBefore, errorContaining);
    }

    /**
     * This filter for one type of aggregates.
     *
     * @param type 1 to 100 characters
     * @return a new filter
     * @throws IllegalArgumentException if it is empty or too long
     */
    public DeadLetterFilter withAggregateType(String type) {
        Objects.requireNonNull(type, "type");
        return new DeadLetterFilter(eventType, type, aggregateId, diedSince, diedBefore, errorContaining);
    }

    /**
     * This filter for aggregates of one id; of one aggregate, together with {@link #withAggregateType}.
     *
     * @param id 1 to 100 characters
     * @return a new filter
     * @throws IllegalArgumentException if it is empty or too long
     */
    public DeadLetterFilter withAggregateId(String id) {
        Objects.requireNonNull(id, "id");
        return new DeadLetterFilter(eventType, aggregateType, id, diedSince, diedBefore, errorContaining);
    }

    /**
     * This filter for those that were given up at some time or later.
     *
     * @param time the time, by the database's clock
     * @return a new filter
     * @throws IllegalArgumentException if it is before the year 1 or after the year 294275
     */
    public DeadLetterFilter diedSince(Instant time) {
        Objects.requireNonNull(time, "time");
        return new DeadLetterFilter(eventType, aggregateType, aggregateId, time, diedBefore, errorContaining);
    }

    /**
     * This filter for those that were given up before some time.
     *
     * @param time the time, by the database's clock
     * @return a new filter
     * @throws IllegalArgumentException if it is before the year 1 or after the year 294275
     */
    public DeadLetterFilter diedBefore(Instant time) {
        Objects.requireNonNull(time, "time");
        return new DeadLetterFilter(eventType, aggregateType, aggregateId, diedSince, time, errorContaining);
    }

    /**
     * This filter for those whose last error contains a text.
     *
     * @param part as it is written, capitals too, without wildcards; 1 to 2,000 characters
     * @return a new filter
     * @throws IllegalArgumentException if it is empty or too long
     */
    public DeadLetterFilter withErrorContaining(String part) {
        Objects.requireNonNull(part, "part");
        return new DeadLetterFilter(eventType, aggregateType, aggregateId, diedSince, diedBefore, part);
    }
}
