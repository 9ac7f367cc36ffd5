package dev.typedoutbox.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.ShutdownSignalException;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.relay.PublishOutcome;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/** Sends a group of events on a channel, all in flight together, and collects the verdicts. */
final class Transmission {
    private final ConfirmChannel channel;
    private final Routing routing;
    private final int frameMax;
    private final List<OutboxEvent> events;
    private final PendingConfirms confirms;
    private boolean spoilt;

    Transmission(ConfirmChannel channel, Routing routing, int frameMax, List<OutboxEvent> events) {
        this.channel = channel;
        this.routing = routing;
        this.frameMax = frameMax;
        this.events = events;
        this.confirms = new PendingConfirms(events);
    }

    PendingConfirms confirms() {
        return confirms;
    }

    void send() {
        channel.track(confirms);
        try {
            channel.inOneBurst(this::sendAll);
        } catch (IOException | ShutdownSignalException e) {
            confirms.end(Reasons.of(e));
        }
        if (spoilt) {
            // Within the burst its close would not be sent, and closing waits for the answer.
            channel.close();
        }
    }

    private void sendAll() throws IOException {
        // A group that was given up meanwhile, as by a broker that blocks, gets no more verdicts.
        for (int i = 0; i < events.size() && channel.isOpen() && !confirms.isOver(); i++) {
            try {
                send(i, events.get(i));
            } catch (ShutdownSignalException e) {
                throw e;
            } catch (RuntimeException e) {
                // The client could not encode it, but has counted it.
                confirms.refuse(i, Reasons.of(e));
                confirms.end("the channel was given up after another message could not be encoded");
                spoilt = true;
                return;
            }
        }
    }

    List<PublishOutcome> outcomes() {
        return IntStream.range(0, events.size()).mapToObj(confirms::outcome).toList();
    }

    private void send(int index, OutboxEvent event) throws IOException {
        Destination destination;
        try {
            destination = Objects.requireNonNull(routing.route(event), "it must return a destination (was null)");
        } catch (OutOfMemoryError e) {
            // No fault of the event's.
            throw e;
        } catch (RuntimeException | Error e) {
            confirms.refuse(index, "the routing failed: " + Reasons.of(e));
            return;
        }
        BasicProperties properties = WireFormat.properties(event);
        Optional<String> violation = MessageRules.violation(destination, properties, frameMax);
        if (violation.isPresent()) {
            confirms.refuse(index, violation.get());
        } else {
            channel.send(confirms, index, destination, properties, event.payload());
        }
    }
}
