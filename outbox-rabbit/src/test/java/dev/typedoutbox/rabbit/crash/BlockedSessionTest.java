package dev.typedoutbox.rabbit.crash;

import static org.assertj.core.api.Assertions.assertThat;

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

    private RabbitPublisher publisher(Routing routing) {
        ConnectionFactory factory = broker.factory();
        factory.setMetricsCollector(openings);
        return RabbitPublisher.create(factory, routing);
    }
}
