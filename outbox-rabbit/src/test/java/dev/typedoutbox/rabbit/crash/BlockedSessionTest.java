package dev.typedoutbox.rabbit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.ConnectionFactory;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.rabbit.Destination;
import dev.typedoutbox.rabbit.RabbitPublisher;
import dev.typedoutbox.rabbit.Routing;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.rabbit.support.Events;
import dev.typedoutbox.rabbit.support.Openings;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.PublisherSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a session sends while a memory alarm lasts lies in the socket, and the broker reads it when the alarm has ended. */
class BlockedSessionTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final PublishOutcome BLOCKED = PublishOutcome.unknown("the broker blocks its publishers");

    private final Broker broker = BreakableServers.broker();
    private final String exchange = broker.exchange();
    private final String queue = broker.queue(exchange, "good");
    private final Openings openings = new Openings();

    @BeforeEach
    void raiseAlarm() {
        broker.server().raiseMemoryAlarm();
    }

    @AfterEach
    void clearAlarm() {
        broker.server().clearMemoryAlarm();
    }

    @Test
    void nothingIsSentOnAConnectionThatIsBlocked() {
        try (RabbitPublisher publisher = publisher(Routing.toExchange(exchange));
                PublisherSession session = publisher.open()) {
            assertThat(session.publish(List.of(Events.of("good")), TIMEOUT)).containsExactly(BLOCKED);
            assertThat(session.publish(Events.many(50, "good"), TIMEOUT))
                    .hasSize(50)
                    .containsOnly(BLOCKED);
            broker.server().clearMemoryAlarm();
        }
        assertThat(openings.messages()).isEqualTo(1);
        assertThat(openings.connections()).isEqualTo(1);
    }

    @Test
    void sendingStopsWhenTheConnectionIsBlockedUnderWay() {
        AtomicReference<Runnable> onBad = new AtomicReference<>(() -> {});
        Routing routing = event -> {
            if (event.eventType().equals("bad")) {
                Objects.requireNonNull(onBad.get()).run();
            }
            return new Destination(exchange, "good");
        };
        List<OutboxEvent> events = new ArrayList<>(Events.many(50, "good"));
        events.add(10, Events.of("bad"));
        try (RabbitPublisher publisher = publisher(routing);
                PublisherSession session = publisher.open();
                PublisherSession other = publisher.open()) {
            onBad.set(() -> assertThat(other.publish(List.of(Events.of("good")), TIMEOUT))
                    .containsExactly(BLOCKED));
            assertThat(session.publish(events, TIMEOUT)).hasSize(51).containsOnly(BLOCKED);
            broker.server().clearMemoryAlarm();
        }
        // Ten before, the one that was being sent, and the other session's.
        assertThat(openings.messages()).isEqualTo(12);
    }

    /** The group that was given up names a missing exchange, and costs its channel when the broker comes to read it. */
    @Test
    void lateRefusalCountsForNothingThatIsSentAfterwards() throws Exception {
        Routing routing = event -> new Destination(event.eventType().equals("lost") ? "missing" : exchange, "good");
        try (RabbitPublisher publisher = publisher(routing);
                PublisherSession session = publisher.open()) {
            assertThat(session.publish(List.of(Events.of("lost")), TIMEOUT)).containsExactly(BLOCKED);
            broker.server().clearMemoryAlarm();
            await().until(() -> openings.closedChannels() == 1);

            assertThat(session.publish(List.of(Events.of("good")), TIMEOUT))
                    .containsExactly(PublishOutcome.confirmed());
            assertThat(session.awaitReady(TIMEOUT)).isTrue();
        }
        assertThat(broker.takeIds(queue)).hasSize(1);
        assertThat(openings.connections()).isEqualTo(1);
    }

    /** An event that is sent again after the alarm has the message id of its first copy, which comes back as unroutable. */
    @Test
    void lateReturnOfTheFirstCopyCountsForNothingThatIsSentAfterwards() throws Exception {
        AtomicBoolean bound = new AtomicBoolean();
        OutboxEvent event = Events.of("any");
        try (RabbitPublisher publisher = publisher(any -> new Destination(exchange, bound.get() ? "good" : "nowhere"));
                PublisherSession session = publisher.open()) {
            assertThat(session.publish(List.of(event), TIMEOUT)).containsExactly(BLOCKED);
            bound.set(true);
            broker.server().clearMemoryAlarm();
            await().until(() -> session.awaitReady(TIMEOUT));
            assertThat(session.publish(List.of(event), TIMEOUT)).containsExactly(PublishOutcome.confirmed());
        }
        assertThat(openings.channels()).isEqualTo(2);
    }

    private RabbitPublisher publisher(Routing routing) {
        ConnectionFactory factory = broker.factory();
        factory.setMetricsCollector(openings);
        return RabbitPublisher.create(factory, routing);
    }
}
