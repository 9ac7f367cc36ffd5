package dev.typedoutbox.relay;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.store.AggregateKey;
import dev.typedoutbox.store.PendingEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes a batch in waves: one event of each aggregate at a time, all of a wave in flight together. An aggregate whose
 * event was not confirmed sends nothing more, so nothing overtakes it.
 */
final class Waves {
    private static final Logger LOG = LoggerFactory.getLogger(Waves.class);

    private final PublisherSession session;
    private final RelayConfig config;

    Waves(PublisherSession session, RelayConfig config) {
        this.session = session;
        this.config = config;
    }

    Verdicts publish(List<PendingEvent> events) {
        Verdicts verdicts = new Verdicts();
        List<Deque<PendingEvent>> queues = config.ordered() ? byAggregate(events) : eachAlone(events);
        long end = System.nanoTime() + config.confirmTimeout().toNanos();
        while (!queues.isEmpty() && mayGoOn(verdicts, end)) {
            queues = publishWave(queues, verdicts);
        }
        return verdicts;
    }

    private static boolean mayGoOn(Verdicts verdicts, long end) {
        return verdicts.unknown() == 0
                && System.nanoTime() - end < 0
                && !Thread.currentThread().isInterrupted();
    }

    /** Publishes the first of each queue, and returns the queues that go on. */
    private List<Deque<PendingEvent>> publishWave(List<Deque<PendingEvent>> queues, Verdicts verdicts) {
        Instant sentAt = Instant.now();
        long sent = System.nanoTime();
        List<PublishOutcome> outcomes = send(queues.stream().map(Deque::element).toList());
        Duration took = Duration.ofNanos(System.nanoTime() - sent);
        List<Deque<PendingEvent>> goOn = new ArrayList<>();
        for (int i = 0; i < queues.size(); i++) {
            Deque<PendingEvent> queue = queues.get(i);
            PublishOutcome outcome = outcomes.get(i);
            verdicts.add(queue.remove(), outcome, sentAt, took);
            if (outcome.kind() == PublishOutcome.Kind.CONFIRMED && !queue.isEmpty()) {
                goOn.add(queue);
            }
        }
        return goOn;
    }

    /** Holds publishers to their contract: what they break is unknown, and the verdicts of earlier waves are not lost. */
    private List<PublishOutcome> send(List<PendingEvent> wave) {
        List<OutboxEvent> events = wave.stream().map(PendingEvent::event).toList();
        try {
            List<PublishOutcome> outcomes = new ArrayList<>(session.publish(events, config.confirmTimeout()));
            if (outcomes.size() == wave.size() && outcomes.stream().allMatch(Objects::nonNull)) {
                return outcomes;
            }
            LOG.atError()
                    .addKeyValue("events", wave.size())
                    .addKeyValue("outcomes", outcomes.size())
                    .log("publisher must return one outcome for each event, none of them null");
        } catch (Throwable e) {
            LOG.error("publisher threw instead of returning outcomes", e);
        }
        closeSession();
        return Collections.nCopies(wave.size(), PublishOutcome.unknown("the publisher failed"));
    }

    private void closeSession() {
        try {
            session.close();
        } catch (Throwable e) {
            LOG.error("session with the broker could not be closed", e);
        }
    }

    private static List<Deque<PendingEvent>> byAggregate(List<PendingEvent> events) {
        Map<AggregateKey, Deque<PendingEvent>> queues = new LinkedHashMap<>();
        events.forEach(event -> queues.computeIfAbsent(event.aggregate(), key -> new ArrayDeque<>())
                .add(event));
        return List.copyOf(queues.values());
    }

    private static List<Deque<PendingEvent>> eachAlone(List<PendingEvent> events) {
        return events.stream()
                .<Deque<PendingEvent>>map(event -> new ArrayDeque<>(List.of(event)))
                .toList();
    }
}
