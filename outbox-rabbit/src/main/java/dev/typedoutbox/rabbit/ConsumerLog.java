package dev.typedoutbox.rabbit;

import dev.typedoutbox.OutboxEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/** What one channel of a consumer says in the log, with trouble that lasts told once a minute. */
final class ConsumerLog {
    private static final Logger LOG = LoggerFactory.getLogger(RabbitConsumer.class);

    private final String queue;
    private final QuietedWarnings losses = new QuietedWarnings();
    private final QuietedWarnings failures = new QuietedWarnings();
    private final QuietedWarnings standstills = new QuietedWarnings();
    private final QuietedWarnings refusals = new QuietedWarnings();
    private final QuietedWarnings fullness = new QuietedWarnings();

    ConsumerLog(String queue) {
        this.queue = queue;
    }

    void receives() {
        at(Level.INFO).log("consumer receives");
    }

    void lost(String address, Throwable cause) {
        lost(address, Reasons.of(cause));
        LOG.debug("consumer cannot receive", cause);
    }

    void lost(String address, String reason) {
        at(losses.next())
                .addKeyValue("broker", address)
                .addKeyValue("reason", reason)
                .log("consumer cannot receive and tries again until it can");
    }

    void cancelled() {
        at(Level.WARN).log("RabbitMQ cancelled the consumer, as when its queue is deleted");
    }

    void applied() {
        losses.reset();
        standstills.reset();
    }

    /** Names the first of them. */
    void notApplied(List<Received> messages, Throwable failure) {
        Received first = messages.get(0);
        of(standstills.next(), first.event(), first.attempts() + 1)
                .setCause(failure)
                .addKeyValue("events", messages.size())
                .log("events could not be applied, as without a database or its tables, and will be tried again");
    }

    void failed(Received message, Throwable failure) {
        of(message.failures() == 1 ? Level.WARN : failures.next(), message)
                .setCause(failure)
                .log("event could not be applied");
    }

    void givenUp(Received message) {
        of(Level.ERROR, message).addKeyValue("reason", message.reason()).log("message was given up as a dead letter");
    }

    void listenerFailed(Received message, Throwable failure) {
        of(Level.ERROR, message).setCause(failure).log("the listener for dead letters failed");
    }

    void notGivenUp(Received message, Exception failure) {
        of(refusals.next(), message)
                .addKeyValue("reason", Reasons.of(failure))
                .log("dead letter could not be handed over and stays in the queue; it will be tried again");
    }

    void unreadable(Received message) {
        of(Level.ERROR, message)
                .addKeyValue("reason", message.reason())
                .log(
                        "message can never be an event and stays unacknowledged: the consumer has no dead-letter exchange");
    }

    void full(int prefetch) {
        at(fullness.next())
                .addKeyValue("prefetch", prefetch)
                .log("consumer gets no new messages: all that it may have are waiting to be tried again or given up");
    }

    private LoggingEventBuilder of(Level level, Received message) {
        return of(level, message.event(), message.attempts());
    }

    private LoggingEventBuilder of(Level level, @Nullable OutboxEvent event, int attempt) {
        LoggingEventBuilder line = at(level);
        if (event != null) {
            line = line.addKeyValue("event_id", event.id())
                    .addKeyValue("event_type", event.eventType())
                    .addKeyValue("aggregate_id", event.aggregateId());
        }
        return line.addKeyValue("attempt", attempt);
    }

    private LoggingEventBuilder at(Level level) {
        return LOG.atLevel(level).addKeyValue("queue", queue);
    }
}
