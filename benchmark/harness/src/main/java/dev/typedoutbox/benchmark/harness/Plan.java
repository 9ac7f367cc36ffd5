package dev.typedoutbox.benchmark.harness;

import dev.typedoutbox.benchmark.contender.Backlog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** How much is measured: the full form, the quick one, or what the options say. */
final class Plan {
    static final int PAYLOAD = 300;
    static final int AGGREGATES = 20_000;

    private static final int ROUNDS = 5;
    private static final int QUICK_ROUNDS = 2;
    private static final int EVENTS = 100_000;
    private static final int QUICK_EVENTS = 30_000;
    private static final int QUICK_SLOW_EVENTS = 2_000;
    private static final Duration WARM_UP = Duration.ofSeconds(12);
    private static final Duration QUICK_WARM_UP = Duration.ofSeconds(4);

    private final Options options;

    Plan(Options options) {
        this.options = options;
    }

    boolean isQuick() {
        return options.quick;
    }

    /** How often each contender takes its turn where several are compared. */
    int rounds() {
        return rounds(QUICK_ROUNDS);
    }

    /** How often each contender takes its turn, with the number for the quick form. */
    int rounds(int quick) {
        return Objects.requireNonNullElse(options.rounds, isQuick() ? quick : ROUNDS);
    }

    /** How many events, where the options do not say it. */
    int events(int full, int quick) {
        return Objects.requireNonNullElse(options.events, isQuick() ? quick : full);
    }

    int seconds(int full, int quick) {
        return isQuick() ? quick : full;
    }

    Duration longestWarmUp() {
        return isQuick() ? QUICK_WARM_UP : WARM_UP;
    }

    /** The backlog that all contenders have to move; in the quick form a slow one gets fewer events. */
    Backlog backlog(ContenderEntry entry) {
        int quick = entry.isSlow() ? QUICK_SLOW_EVENTS : QUICK_EVENTS;
        return backlog(events(EVENTS, quick), PAYLOAD, AGGREGATES);
    }

    /** A backlog of a given form, as far as the options do not want another one. */
    Backlog backlog(int events, int payload, int aggregates) {
        return new Backlog(
                events,
                Objects.requireNonNullElse(options.payload, payload),
                Objects.requireNonNullElse(options.aggregates, aggregates));
    }

    QueueKind queue() {
        return Objects.requireNonNullElse(options.queue, QueueKind.CLASSIC);
    }

    /** Whether the options ask for one case of their own, instead of the scenario's. */
    boolean hasOwnCase() {
        return options.events != null || options.payload != null || options.aggregates != null || options.queue != null;
    }

    /** Those of the candidates that the options want; a name that nobody has is an error. */
    static List<ContenderEntry> chosen(List<ContenderEntry> all, List<String> names) {
        List<ContenderEntry> chosen = new ArrayList<>();
        for (String name : names) {
            chosen.add(all.stream()
                    .filter(entry -> entry.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("--contenders must be of "
                            + all.stream().map(ContenderEntry::name).toList() + " (was " + name + ")")));
        }
        return chosen;
    }
}
