package dev.typedoutbox.relay;

import dev.typedoutbox.OutboxEvent;
import java.time.Duration;
import java.time.Instant;

/**
 * One attempt to publish one event.
 *
 * @param event the event
 * @param number the number of the attempt, the first being 1
 * @param outcome what became of it
 * @param sentAt when the event was handed to the publisher, by this machine's clock
 * @param took from then until the outcomes of all that were sent together were known
 * @since 0.1.0
 */
public record PublishAttempt(OutboxEvent event, int number, PublishOutcome outcome, Instant sentAt, Duration took) {}
