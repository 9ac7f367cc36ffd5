package dev.typedoutbox.rabbit;

import dev.typedoutbox.consumer.EventConsumer;
import dev.typedoutbox.relay.RetryPolicy;
import java.time.Duration;
import java.util.function.Consumer;

/** What a {@link RabbitConsumer} was built with, as its channels need it. */
record ConsumerSettings(
        String queue,
        EventConsumer consumer,
        int prefetch,
        int batchSize,
        Duration batchWait,
        RetryPolicy retries,
        DeadLetterRoute deadLetters,
        Consumer<GivenUpMessage> onDeadLetter) {}
