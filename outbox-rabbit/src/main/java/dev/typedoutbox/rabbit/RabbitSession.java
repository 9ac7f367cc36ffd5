package dev.typedoutbox.rabbit;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.PublishOutcome.Kind;
import dev.typedoutbox.relay.PublisherSession;
import dev.typedoutbox.relay.PublisherUnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One worker's channel, replaced when the broker closes it because of a message, or has blocked it. */
final class RabbitSession implements PublisherSession {
    private static final Logger LOG = LoggerFactory.getLogger(RabbitSession.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);
    private static final PublishOutcome BLOCKED = PublishOutcome.unknown("the broker blocks its publishers");

    private final RabbitConnection connection;
    private final Routing routing;
    private final ScheduledExecutorService watchdog;
    private volatile ConfirmChannel channel;
    /** A blocked broker has yet to read what was sent on the channel, and its verdicts on that belong to nobody. */
    private volatile boolean leftBehind;

    RabbitSession(RabbitConnection connection, Routing routing, ScheduledExecutorService watchdog) throws IOException {
        this.connection = connection;
        this.routing = routing;
        this.watchdog = watchdog;
        this.channel = new ConfirmChannel(connection);
    }

    @Override
    public boolean awaitReady(Duration timeout) throws InterruptedException {
        boolean unblocked = connection.awaitUnblocked(timeout);
        if (!channel.isOpen()) {
            throw new PublisherUnavailableException("the channel to RabbitMQ ended: " + channel.endReason(), null);
        }
        return unblocked;
    }

    @Override
    public List<PublishOutcome> publish(List<OutboxEvent> events, Duration timeout) {
        long end = System.nanoTime() + timeout.toNanos();
        Future<?> guard = cutAfter(timeout);
        try {
            if (!renewChannel()) {
                return unsent(events);
            }
            List<PublishOutcome> outcomes = exchange(events, end);
            return channel.wasRefused() ? findCulprit(events, outcomes, end) : outcomes;
        } finally {
            guard.cancel(false);
        }
    }

    private List<PublishOutcome> findCulprit(List<OutboxEvent> events, List<PublishOutcome> outcomes, long end) {
        if (events.size() > 1) {
            return oneByOne(events, outcomes, end);
        }
        PublishOutcome outcome = blamed(outcomes.get(0));
        renewChannel();
        return List.of(outcome);
    }

    /** The broker closed the channel because of one message and does not say which; sent alone, it shows. */
    private List<PublishOutcome> oneByOne(List<OutboxEvent> events, List<PublishOutcome> together, long end) {
        List<PublishOutcome> outcomes = new ArrayList<>(together);
        for (int i = 0; i < outcomes.size(); i++) {
            if (outcomes.get(i).kind() == Kind.UNKNOWN) {
                if (System.nanoTime() - end >= 0 || !renewChannel()) {
                    return outcomes;
                }
                outcomes.set(i, alone(events.get(i), end));
            }
        }
        renewChannel();
        return outcomes;
    }

    private PublishOutcome alone(OutboxEvent event, long end) {
        return blamed(exchange(List.of(event), end).get(0));
    }

    /** A channel that carried one message was closed because of it, unless the broker had said something of it before. */
    private PublishOutcome blamed(PublishOutcome outcome) {
        boolean culprit = outcome.kind() == Kind.UNKNOWN && channel.wasRefused();
        return culprit ? PublishOutcome.refused(channel.endReason()) : outcome;
    }

    private List<PublishOutcome> unsent(List<OutboxEvent> events) {
        PublishOutcome outcome = connection.isBlocked() ? BLOCKED : PublishOutcome.unknown(channel.endReason());
        return Collections.nCopies(events.size(), outcome);
    }

    /** Replaces a channel that can carry nothing more; false if nothing can be sent now. */
    private boolean renewChannel() {
        if (leftBehind && connection.isBlocked()) {
            return false;
        }
        try {
            if (leftBehind) {
                channel.close();
            }
            if (leftBehind || channel.wasRefused()) {
                channel = new ConfirmChannel(connection);
                leftBehind = false;
            }
            return channel.isOpen();
        } catch (IOException | RuntimeException e) {
            LOG.debug("channel could not be opened again", e);
            return false;
        }
    }

    private List<PublishOutcome> exchange(List<OutboxEvent> events, long end) {
        Transmission transmission = new Transmission(channel, routing, connection.frameMax(), events);
        PendingConfirms confirms = transmission.confirms();
        Runnable blocked = () -> {
            leftBehind = true;
            confirms.end(BLOCKED.reason());
        };
        connection.onBlocked(blocked);
        try {
            transmission.send();
            if (!confirms.await(Duration.ofNanos(end - System.nanoTime()))) {
                confirms.end("the broker did not confirm in time");
                connection.cut();
            }
        } catch (InterruptedException e) {
            confirms.end("the publishing thread was interrupted");
            Thread.currentThread().interrupt();
            connection.cut();
        } finally {
            connection.offBlocked(blocked);
        }
        return transmission.outcomes();
    }

    @Override
    public void close() {
        Future<?> guard = cutAfter(CLOSE_TIMEOUT);
        channel.close();
        guard.cancel(false);
    }

    /** A write, or the wait for an answer, that a frozen broker holds up ends only with its connection. */
    private Future<?> cutAfter(Duration timeout) {
        try {
            return watchdog.schedule(connection::cut, timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            connection.cut();
            return CompletableFuture.completedFuture(null);
        }
    }
}
