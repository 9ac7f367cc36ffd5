package dev.typedoutbox.rabbit;

import com.rabbitmq.client.Delivery;
import dev.typedoutbox.OutboxEvent;
import org.jspecify.annotations.Nullable;

/** A message of one channel, with what happened to it so far. Used by the channel's thread alone. */
final class Received {
    private final Delivery delivery;
    private final @Nullable OutboxEvent event;
    private int failures;
    private int failedHandOvers;
    private String reason;

    private Received(Delivery delivery, @Nullable OutboxEvent event, String reason) {
        this.delivery = delivery;
        this.event = event;
        this.reason = reason;
    }

    /** Reads the message; one that can never be an event comes without one, and with the reason. */
    static Received of(Delivery delivery) {
        try {
            return new Received(delivery, WireFormat.event(delivery), "");
        } catch (UnreadableMessageException e) {
            return new Received(delivery, null, String.valueOf(e.getMessage()));
        }
    }

    /** What the events have in common that have to keep their order; a message without an aggregate is alone. */
    record Line(String aggregateType, String aggregateId, long tag) {}

    Line line() {
        return event == null || event.aggregateId().isEmpty()
                ? new Line("", "", tag())
                : new Line(event.aggregateType(), event.aggregateId(), 0);
    }

    Delivery delivery() {
        return delivery;
    }

    long tag() {
        return delivery.getEnvelope().getDeliveryTag();
    }

    /** Null if the message can never be an event. */
    @Nullable
    OutboxEvent event() {
        return event;
    }

    void fail(Throwable failure) {
        failures++;
        reason = Reasons.inOneLine(failure.getClass().getName() + ": " + Reasons.of(failure));
    }

    /** Counts that it could not be given away as a dead letter. */
    void handOverFailed() {
        failedHandOvers++;
    }

    /** How many tries of any kind were in vain, for the delay before the next one. */
    int failedTries() {
        return Math.max(failures, failedHandOvers);
    }

    /** Whether it may be what ended the processes that had it before. */
    boolean isSuspect() {
        return WireFormat.earlierDeliveries(delivery.getProperties()) > 1;
    }

    /** Why it was not applied. */
    String reason() {
        return reason;
    }

    /** How often applying it failed since this consumer has it. */
    int failures() {
        return failures;
    }

    /** The same, with the deliveries before this one that ended without an acknowledgement, as far as the queue counts them. */
    int attempts() {
        return (int) Math.min(Integer.MAX_VALUE, failures + WireFormat.earlierDeliveries(delivery.getProperties()));
    }
}
