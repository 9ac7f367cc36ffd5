package dev.typedoutbox.rabbit;

import dev.typedoutbox.OutboxEvent;
import org.jspecify.annotations.Nullable;

/**
 * A message that a {@link RabbitConsumer} gave up as a dead letter.
 *
 * @param queue where it came from
 * @param event what was to be applied; null if the message can never be an event
 * @param reason why it was not, in at most 1,000 characters
 * @param failures how often applying it failed since it was delivered; 0 if the message can never be an event
 * @since 0.1.0
 */
public record GivenUpMessage(String queue, @Nullable OutboxEvent event, String reason, int failures) {}
