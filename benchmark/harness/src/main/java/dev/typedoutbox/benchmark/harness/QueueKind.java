package dev.typedoutbox.benchmark.harness;

import java.util.Locale;

/** The kinds of queue that RabbitMQ has for work. */
enum QueueKind {
    CLASSIC,
    QUORUM;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
