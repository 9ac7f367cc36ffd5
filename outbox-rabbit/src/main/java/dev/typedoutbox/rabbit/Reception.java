package dev.typedoutbox.rabbit;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Delivery;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.ApplyOutcome;
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
            handle(takeNew());
        }
    }

    private boolean isRunning() {
        return stop.getCount() > 0 && channel.isOpen();
    }

    /** Takes what is there, or waits for a moment. What belongs behind a held one gets there. */
    private List<Received> takeNew() throws InterruptedException {
        List<Received> batch = new ArrayList<>();
        Delivery first = inbox.poll(heldBack.nanosToNext(CHECK_NANOS), TimeUnit.NANOSECONDS);
        long end = System.nanoTime() + settings.batchWait().toNanos();
        for (Delivery delivery = first; delivery != null; delivery = next(batch.size(), end)) {
            Received message = Received.of(delivery);
            deliveries.came(message.tag());
            if (heldBack.isHeld(message.line())) {
                heldBack.append(message);
            } else {
                batch.add(message);
            }
        }
        return batch;
    }

    private @Nullable Delivery next(int taken, long end) throws InterruptedException {
        return taken < settings.batchSize() ? inbox.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS) : null;
    }

    private void handle(List<Received> batch) throws IOException, InterruptedException {
        List<Received> messages = new ArrayList<>();
        List<OutboxEvent> events = new ArrayList<>();
        for (Received message : batch) {
            OutboxEvent event = message.event();
            if (event == null) {
                giveUp(message);
            } else {
                messages.add(message);
                events.add(event);
            }
        }
        if (!events.isEmpty()) {
            settle(messages, applyInTheEnd(events));
        }
        deliveries.acknowledge();
    }

    /**
     * Tries until something can be said of the events: if nothing can, as without a database, none of them is at fault. No
     * outcomes if there is nothing to acknowledge on any more; then the broker delivers them again.
     */
    private List<ApplyOutcome> applyInTheEnd(List<OutboxEvent> events) throws InterruptedException {
        while (isRunning()) {
            try {
                List<ApplyOutcome> outcomes = settings.consumer().applyAll(events);
                if (outcomes.size() != events.size()) {
                    throw new IllegalStateException("applyAll must return as many outcomes as it got events, "
                            + events.size() + " (was " + outcomes.size() + ")");
                }
                log.applied();
                return outcomes;
            } catch (RuntimeException | Error e) {
                log.notApplied(events, e);
                stop.await(settings.retries().base().toMillis(), TimeUnit.MILLISECONDS);
            }
        }
        return List.of();
    }

    /** From the last to the first, so that those of an aggregate stand in their order where they are held back. */
    private void settle(List<Received> messages, List<ApplyOutcome> outcomes) throws InterruptedException {
        for (int i = outcomes.size() - 1; i >= 0; i--) {
            Received message = messages.get(i);
            ApplyOutcome outcome = outcomes.get(i);
            Throwable failure = outcome.failure();
            if (outcome.isDone()) {
                deliveries.done(message.tag());
            } else if (failure == null) {
                heldBack.putFirst(message);
            } else if (isRunning()) {
                failed(message, failure);
            }
        }
    }

    private void failed(Received message, Throwable failure) throws InterruptedException {
        message.fail(failure);
        log.failed(message, failure);
        if (settings.deadLetters().isThere() && settings.retries().isExhausted(message.attempts())) {
            giveUp(message);
        } else {
            tryAgain(message);
        }
    }

    private void giveUp(Received message) throws InterruptedException {
        if (!settings.deadLetters().isThere()) {
            // Only a message that is no event gets here: it stays unacknowledged.
            log.unreadable(message);
            return;
        }
        try {
            settings.deadLetters().take(message, deliveries);
            log.givenUp(message);
        } catch (IOException | RuntimeException e) {
            log.notGivenUp(message, e);
            tryAgain(message);
        }
    }

    private void tryAgain(Received message) {
        heldBack.putFirst(
                message, settings.retries().nextDelay(message.failures()).toNanos());
    }
}
