package dev.typedoutbox.rabbit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.ConnectionFactory;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.rabbit.Destination;
import dev.typedoutbox.rabbit.RabbitPublisher;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.rabbit.support.Events;
import dev.typedoutbox.rabbit.support.Openings;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.PublishOutcome.Kind;
import dev.typedoutbox.relay.PublisherSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Events that the broker has got and not confirmed when it ends their channel: their queue stands still. */
class OutstandingConfirmsTest {
    /** Not the common pool, which has one thread on a machine with two cores. */
    private static final Executor THREADS = task -> new Thread(task).start();

    /** Much longer than the tests, so that nothing ends because of it. */
    private static final Duration CONFIRM_TIMEOUT = Duration.ofMinutes(2);

    private static final Duration AT_ONCE = Duration.ofSeconds(1);
    /** Until RabbitMQ's tool has started and done its work. */
    private static final Duration TOOL = Duration.ofSeconds(30);

    private final Broker broker = BreakableServers.broker();
    private final String exchange = broker.exchange();
    private final String queue = broker.queue(exchange, "#");
    private final Openings openings = new Openings();
    private final RabbitPublisher publisher = publisher();

    @AfterEach
    void close() {
        publisher.close();
    }

    @Test
    void channelThatTheBrokerClosesEndsAllThatIsOutstandingOnItAtOnce() throws Exception {
        List<OutboxEvent> events = new ArrayList<>(Events.many(200, "good"));
        events.add(Events.of("bad"));
        try (PublisherSession session = publisher.open()) {
            broker.suspend(queue);
            long start = System.nanoTime();
            CompletableFuture<List<PublishOutcome>> outcomes = publish(session, events);
            // Not before all have ended is another channel opened, to send them one by one.
            await().atMost(Duration.ofSeconds(30)).until(() -> openings.channels() == 2);
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            broker.resume(queue);

            assertThat(took).isLessThan(AT_ONCE);
            List<PublishOutcome> verdicts = new ArrayList<>(outcomes.get(30, TimeUnit.SECONDS));
            assertThat(verdicts.remove(200).reason()).contains("no exchange 'missing'");
            assertThat(verdicts).hasSize(200).containsOnly(PublishOutcome.confirmed());
        }
        // Every one of the 200 was sent twice, so not one had been confirmed before.
        await().untilAsserted(() -> assertThat(broker.takeIds(queue)).hasSize(400));
        assertThat(openings.connections()).isEqualTo(1);
    }

    @Test
    void connectionThatTheBrokerClosesLeavesNothingForANewOneToConfirm() throws Exception {
        List<OutboxEvent> old = Events.many(500, "good");
        try (PublisherSession session = publisher.open()) {
            broker.suspend(queue);
            CompletableFuture<List<PublishOutcome>> outcomes = publish(session, old);
            await().until(() -> openings.messages() == old.size());
            assertThat(outcomes).isNotDone();
            broker.server().closeConnections();

            assertThat(kinds(outcomes.get(TOOL.toSeconds(), TimeUnit.SECONDS)))
                    .isEqualTo(Collections.nCopies(old.size(), Kind.UNKNOWN));
            broker.resume(queue);
            try (PublisherSession next = publisher.open()) {
                assertThat(next.publish(Events.many(500, "good"), CONFIRM_TIMEOUT))
                        .containsOnly(PublishOutcome.confirmed());
            }
            assertThat(kinds(outcomes.join())).containsOnly(Kind.UNKNOWN);
        }
    }

    private RabbitPublisher publisher() {
        ConnectionFactory factory = broker.factory();
        factory.setMetricsCollector(openings);
        return RabbitPublisher.create(
                factory,
                event -> new Destination(event.eventType().equals("bad") ? "missing" : exchange, event.eventType()));
    }

    private static CompletableFuture<List<PublishOutcome>> publish(PublisherSession session, List<OutboxEvent> events) {
        return CompletableFuture.supplyAsync(() -> session.publish(events, CONFIRM_TIMEOUT), THREADS);
    }

    private static List<Kind> kinds(List<PublishOutcome> outcomes) {
        return outcomes.stream().map(PublishOutcome::kind).toList();
    }
}
