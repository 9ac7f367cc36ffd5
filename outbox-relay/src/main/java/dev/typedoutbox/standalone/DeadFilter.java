package dev.typedoutbox.standalone;

import dev.typedoutbox.deadletter.DeadLetterFilter;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which dead letters are meant: those that meet all conditions that are given. */
final class DeadFilter {
    @Option(names = "--type", paramLabel = "TYPE", description = "Of this event type.")
    @Nullable
    String type;

    @Option(names = "--aggregate-type", paramLabel = "TYPE", description = "Of aggregates of this type.")
    @Nullable
    String aggregateType;

    @Option(names = "--aggregate", paramLabel = "ID", description = "Of the aggregate with this id.")
    @Nullable
    String aggregate;

    @Option(
            names = "--died-before",
            paramLabel = "TIME",
            description = "Given up before this time, such as 2026-01-31T12:00:00Z, or longer ago, such as 2h.")
    @Nullable
    String diedBefore;

    @Option(names = "--died-since", paramLabel = "TIME", description = "Given up at this time or later.")
    @Nullable
    String diedSince;

    @Option(
            names = "--error",
            paramLabel = "TEXT",
            description = "With this text in the last error, capitals as they are.")
    @Nullable
    String error;

    boolean isEmpty() {
        return Arrays.asList(type, aggregateType, aggregate, diedBefore, diedSince, error).stream()
                .allMatch(Objects::isNull);
    }

    DeadLetterFilter read() {
        try {
            DeadLetterFilter filter = DeadLetterFilter.ALL;
            filter = type == null ? filter : filter.withEventType(type);
            filter = aggregateType == null ? filter : filter.withAggregateType(aggregateType);
            filter = aggregate == null ? filter : filter.withAggregateId(aggregate);
            filter = diedBefore == null ? filter : filter.diedBefore(Arguments.time("--died-before", diedBefore));
            filter = diedSince == null ? filter : filter.diedSince(Arguments.time("--died-since", diedSince));
            return error == null ? filter : filter.withErrorContaining(error);
        } catch (IllegalArgumentException e) {
            throw Failure.usage(Reason.of(e));
        }
    }
}
