package dev.typedoutbox.relay;

import dev.typedoutbox.store.Failure;
import dev.typedoutbox.store.PendingEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What the broker said of the events of one batch. */
final class Verdicts {
    private final List<PendingEvent> published = new ArrayList<>();
    private final List<Refusal> refusals = new ArrayList<>();
    private final List<PublishAttempt> attempts = new ArrayList<>();
    private int unknown;

    static Verdicts published(PendingEvent event) {
        Verdicts verdicts = new Verdicts();
        verdicts.add(event, PublishOutcome.confirmed());
        return verdicts;
    }

    void add(PendingEvent event, PublishOutcome outcome) {
        switch (outcome.kind()) {
            case CONFIRMED -> published.add(event);
            case REFUSED -> refusals.add(new Refusal(event, outcome.reason()));
            case UNKNOWN -> {
                unknown++;
                RelayLog.unknown(event, outcome.reason());
            }
        }
    }

    /** The same for an event that was sent, with the times. */
    void add(PendingEvent event, PublishOutcome outcome, Instant sentAt, Duration took) {
        add(event, outcome);
        attempts.add(new PublishAttempt(event.event(), attemptAfter(event.attempts()), outcome, sentAt, took));
    }

    /** The number of the attempt after so many that failed, the first being 1. */
    static int attemptAfter(int failed) {
        return (int) Math.min(Integer.MAX_VALUE, failed + 1L);
    }

    /** What became of each event that was sent. */
    List<PublishAttempt> attempts() {
        return attempts;
    }

    boolean isEmpty() {
        return published.isEmpty() && refusals.isEmpty();
    }

    List<PendingEvent> published() {
        return published;
    }

    List<Refusal> refusals() {
        return refusals;
    }

    BatchResult result(int fetched, int dead) {
        return new BatchResult(fetched, published.size(), refusals.size(), dead, unknown);
    }

    int unknown() {
        return unknown;
    }

    record Refusal(PendingEvent event, String reason) {
        Refusal {
            // A line of the log has no use for more of it than the row.
            reason = Failure.bounded(reason);
        }

        /** The number of the attempt that was refused, the first being 1. */
        int attempt() {
            return attemptAfter(event.attempts());
        }
    }
}
