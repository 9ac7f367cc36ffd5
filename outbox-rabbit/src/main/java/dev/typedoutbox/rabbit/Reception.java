package dev.typedoutbox.rabbit;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Delivery;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.ApplyOutcome;
import dev.typedoutbox.relay.RetryPolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Receives on one channel for as long as it lasts. Everything that is known of its deliveries ends with it, so that nothing
 * of it can reach a later channel.
 */
final class Reception {
    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Channel channel;
    private final ConsumerSettings settings;
    private final CountDownLatch stop;
    private final ConsumerLog log;
    private final BlockingQueue<Delivery> inbox = new LinkedBlockingQueue<>();
    private final HeldBack heldBack = new HeldBack();
    private final Deliveries deliveries;

    Reception(Channel channel, ConsumerSettings settings, CountDownLatch stop, ConsumerLog log) {
        this.channel = channel;
        this.settings = settings;
        this.stop = stop;
        this.log = log;
        this.deliveries = new Deliveries(channel);
    }

    void begin() throws IOException {
        channel.basicQos(settings.prefetch());
        channel.basicConsume(settings.queue(), false, (tag, delivery) -> inbox.add(delivery), tag -> cancelled());
    }

    private void cancelled() throws IOException {
        log.cancelled();
        channel.abort();
    }

    /** Returns when the consumer is stopped, or the channel closed. */
    void receive() throws IOException, InterruptedException {
        while (isRunning()) {
            // What failed is tried apart from what is new, whose batch it would spoil again, and takes turns with it.
            handle(heldBack.takeDue(settings.batchSize()));
            handleNew(takeNew());
            if (deliveries.underWay() >= settings.prefetch()) {
                log.full(settings.prefetch());
            }
        }
    }

    /**
     * A message that came several times may be one that ends the process. It is handled alone, so that it does not take
     * down others with it: those before it are acknowledged by then.
     */
    private void handleNew(List<Received> messages) throws IOException, InterruptedException {
        List<Received> batch = new ArrayList<>();
        for (Received message : messages) {
            if (message.isSuspect()) {
                handleUnlessHeld(batch);
                handleUnlessHeld(List.of(message));
                batch = new ArrayList<>();
            } else {
                batch.add(message);
            }
        }
        handleUnlessHeld(batch);
    }

    /** What belongs behind a held one gets there. */
    private void handleUnlessHeld(List<Received> messages) throws IOException, InterruptedException {
        List<Received> free = new ArrayList<>();
        for (Received message : messages) {
            if (heldBack.isHeld(message.line())) {
                heldBack.append(message);
            } else {
                free.add(message);
            }
        }
        handle(free);
    }

    private boolean isRunning() {
        return stop.getCount() > 0 && channel.isOpen();
    }

    /** Takes what is there, or waits for a moment. */
    private List<Received> takeNew() throws InterruptedException {
        List<Received> batch = new ArrayList<>();
        Delivery first = inbox.poll(heldBack.nanosToNext(CHECK_NANOS), TimeUnit.NANOSECONDS);
        long end = System.nanoTime() + settings.batchWait().toNanos();
        for (Delivery delivery = first; delivery != null; delivery = next(batch.size(), end)) {
            Received message = Received.of(delivery);
            deliveries.came(message.tag());
            batch.add(message);
        }
        return batch;
    }

    /** Null when the batch is full, or has waited long enough for more. */
    private @Nullable Delivery next(int taken, long end) throws InterruptedException {
        if (taken >= settings.batchSize()) {
            return null;
        }
        Delivery next = inbox.poll();
        for (long left = end - System.nanoTime();
                next == null && left > 0 && isRunning() && heldBack.nanosToNext(left) > 0;
                left = end - System.nanoTime()) {
            next = inbox.poll(Math.min(left, CHECK_NANOS), TimeUnit.NANOSECONDS);
        }
        return next;
    }

    private void handle(List<Received> batch) throws IOException, InterruptedException {
        List<Received> messages = new ArrayList<>();
        List<OutboxEvent> events = new ArrayList<>();
        List<Received> others = new ArrayList<>();
        for (Received message : batch) {
            OutboxEvent event = message.event();
            if (event == null) {
                others.add(message);
            } else {
                messages.add(message);
                events.add(event);
            }
        }
        others.addAll(settle(messages, applyInTheEnd(messages, events)));
        // What is done does not wait for the dead letters, which the broker may keep waiting.
        deliveries.acknowledge();
        giveUp(others);
        deliveries.acknowledge();
    }

    /**
     * Tries until something can be said of the events: if nothing can, as without a database, none of them is at fault. No
     * outcomes if there is nothing to acknowledge on any more; then the broker delivers them again.
     */
    private List<ApplyOutcome> applyInTheEnd(List<Received> messages, List<OutboxEvent> events)
            throws InterruptedException {
        while (isRunning() && !events.isEmpty()) {
            try {
                List<ApplyOutcome> outcomes = settings.consumer().applyAll(events);
                log.applied();
                return outcomes;
            } catch (Throwable e) {
                if (!isRunning()) {
                    return List.of();
                }
                log.notApplied(messages, e);
                clearInterruption();
                stop.await(settings.retries().base().toMillis(), TimeUnit.MILLISECONDS);
            } finally {
                clearInterruption();
            }
        }
        return List.of();
    }

    /** A handler may have met an interruption of its own making. Ours comes when the consumer is to stop. */
    private void clearInterruption() {
        if (stop.getCount() > 0) {
            Thread.interrupted();
        }
    }

    /**
     * From the last to the first, so that those of an aggregate stand in their order where they are held back.
     *
     * @return what is to be given up
     */
    private List<Received> settle(List<Received> messages, List<ApplyOutcome> outcomes) {
        List<Received> exhausted = new ArrayList<>();
        for (int i = outcomes.size() - 1; i >= 0; i--) {
            Received message = messages.get(i);
            ApplyOutcome outcome = outcomes.get(i);
            Throwable failure = outcome.failure();
            if (outcome.isDone()) {
                deliveries.done(message.tag());
            } else if (failure == null) {
                heldBack.putFirst(message);
            } else if (isRunning()) {
                message.fail(failure);
                log.failed(message, failure);
                tryAgain(message);
                if (isExhausted(message)) {
                    exhausted.add(0, message);
                }
            }
        }
        return exhausted;
    }

    /**
     * Deliveries that ended without an acknowledgement count as well, but not alone: a deploy or an outage is no fault of the
     * events that it found under way.
     */
    private boolean isExhausted(Received message) {
        RetryPolicy retries = settings.retries();
        return settings.deadLetters().isThere()
                && (retries.isExhausted(message.failures())
                        || (message.failures() > 1 && retries.isExhausted(message.attempts())));
    }

    /** Messages that are no events, and events that are held back meanwhile. */
    private void giveUp(List<Received> messages) throws InterruptedException {
        boolean possible = true;
        for (Received message : messages) {
            if (!settings.deadLetters().isThere()) {
                // Only a message that is no event gets here: it stays unacknowledged.
                log.unreadable(message);
            } else {
                possible = possible && isRunning() && giveUp(message);
                if (!possible) {
                    message.handOverFailed();
                    heldBack.remove(message);
                    tryAgain(message);
                }
            }
        }
    }

    private boolean giveUp(Received message) throws InterruptedException {
        try {
            settings.deadLetters().take(message, deliveries);
            heldBack.release(message);
            log.givenUp(message);
        } catch (IOException | RuntimeException e) {
            log.notGivenUp(message, e);
            return false;
        }
        tellOfDeadLetter(message);
        return true;
    }

    private void tellOfDeadLetter(Received message) {
        try {
            settings.onDeadLetter()
                    .accept(new GivenUpMessage(
                            settings.queue(), message.event(), message.reason(), message.failures()));
        } catch (Throwable e) {
            // Whatever it is, the message is given up, and the next one is waiting.
            log.listenerFailed(message, e);
        }
    }

    private void tryAgain(Received message) {
        heldBack.putFirst(
                message, settings.retries().nextDelay(message.failedTries()).toNanos());
    }
}
