package dev.typedoutbox.rabbit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConnectionFactory;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.rabbit.Destination;
import dev.typedoutbox.rabbit.RabbitPublisher;
import dev.typedoutbox.rabbit.Routing;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.rabbit.support.Events;
import dev.typedoutbox.rabbit.support.HoldingLink;
import dev.typedoutbox.rabbit.support.Openings;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.PublishOutcome.Kind;
import dev.typedoutbox.relay.PublishOutcome.Refusal;
import dev.typedoutbox.relay.PublisherSession;
import dev.typedoutbox.relay.PublisherUnavailableException;
import dev.typedoutbox.servers.AmqpServer;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RabbitPublisherTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final Broker broker = Broker.shared();
    private final String exchange = broker.exchange();
    private final String queue = broker.queue(exchange, "good.#");

    @Test
    void confirmedEventsAreInTheQueueInOrder() {
        List<OutboxEvent> events = Events.many(1_000, "good");
        assertThat(publish(events)).containsOnly(PublishOutcome.confirmed());
        assertThat(broker.takeIds(queue)).isEqualTo(Events.ids(events));
    }

    @Test
    void exactlyTheUnroutableOnesAreRefused() {
        List<OutboxEvent> events = IntStream.range(0, 1_000)
                .mapToObj(i -> Events.of(i % 2 == 0 ? "good" : "bad"))
                .toList();
        List<PublishOutcome> outcomes = publish(events);
        for (int i = 0; i < events.size(); i++) {
            assertThat(outcomes.get(i).kind()).isEqualTo(i % 2 == 0 ? Kind.CONFIRMED : Kind.REFUSED);
        }
        assertThat(outcomes.get(1).refusal()).isEqualTo(Refusal.RETURNED);
        assertThat(outcomes.get(1).reason())
                .isEqualTo("unroutable: 312 NO_ROUTE (exchange \"" + exchange + "\", routing key \"bad\")");
        assertThat(broker.takeIds(queue)).hasSize(500);
    }

    @Test
    void missingExchangeCostsOnlyItsOwnEventAnAttempt() {
        Routing routing = event -> new Destination(event.eventType().equals("lost") ? "missing" : exchange, "good");
        List<OutboxEvent> events = new ArrayList<>(Events.many(9, "good"));
        events.add(3, Events.of("lost"));
        List<PublishOutcome> outcomes = publish(routing, events);
        assertThat(outcomes.get(3).kind()).isEqualTo(Kind.REFUSED);
        assertThat(outcomes.get(3).refusal()).isEqualTo(Refusal.OTHER);
        assertThat(outcomes.get(3).reason()).contains("404").contains("missing");
        outcomes.remove(3);
        assertThat(outcomes).containsOnly(PublishOutcome.confirmed());
        events.remove(3);
        assertThat(broker.takeIds(queue)).containsAll(Events.ids(events));
    }

    @Test
    void sessionGoesOnAfterTheBrokerClosedItsChannel() {
        Routing routing = event -> new Destination(event.eventType().equals("lost") ? "missing" : exchange, "good");
        try (RabbitPublisher publisher = RabbitPublisher.create(broker.factory(), routing);
                PublisherSession session = publisher.open()) {
            for (int i = 0; i < 3; i++) {
                assertThat(session.publish(List.of(Events.of("lost")), TIMEOUT)
                                .get(0)
                                .kind())
                        .isEqualTo(Kind.REFUSED);
                assertThat(session.publish(List.of(Events.of("good")), TIMEOUT))
                        .containsExactly(PublishOutcome.confirmed());
            }
        }
    }

    /** The broker throws away all that it reads after it closed the channel, and its word of that is half a second away. */
    @Test
    void eventsThatWereSentAfterABadOneAreSentAgainOnANewChannel() throws Exception {
        Routing routing = event -> new Destination(event.eventType().equals("lost") ? "missing" : exchange, "good");
        List<OutboxEvent> events = List.of(Events.of("good"), Events.of("lost"), Events.of("good"), Events.of("good"));
        URI server = broker.server().uri();
        try (HoldingLink link = new HoldingLink(server.getHost(), server.getPort());
                RabbitPublisher publisher =
                        RabbitPublisher.create(Broker.factory(Broker.at(server, link.port())), routing);
                PublisherSession session = publisher.open()) {
            link.hold();
            CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS).execute(link::release);
            assertThat(session.publish(events, TIMEOUT))
                    .extracting(PublishOutcome::kind)
                    .containsExactly(Kind.CONFIRMED, Kind.REFUSED, Kind.CONFIRMED, Kind.CONFIRMED);
        }
        List<String> arrived = broker.takeIds(queue);
        assertThat(arrived).contains(events.get(0).id().toString());
        assertThat(arrived.subList(arrived.size() - 2, arrived.size())).isEqualTo(Events.ids(events.subList(2, 4)));
    }

    @Test
    void headersWithTheNamesOfPropertiesAreOnlyHeaders() {
        OutboxEvent event =
                Events.of("good", Map.of("expiration", "later", "user_id", "somebody", "priority", 300L), "1");
        assertThat(publish(List.of(event))).containsExactly(PublishOutcome.confirmed());
        BasicProperties arrived = broker.take(queue).get(0).getProps();
        assertThat(arrived.getHeaders()).containsKeys("expiration", "user_id", "priority");
        assertThat(arrived.getExpiration()).isNull();
        assertThat(arrived.getUserId()).isNull();
        assertThat(arrived.getPriority()).isNull();
    }

    /** RabbitMQ takes this header for further routing keys, and closes the channel when it is no list of them. */
    @Test
    void headerThatRabbitMqReadsItselfCostsOnlyItsOwnEventAnAttempt() {
        assumeTrue(broker.server().isRabbitMq(), AmqpServer.HOW_TO_GET_RABBITMQ);
        List<OutboxEvent> events = new ArrayList<>(Events.many(9, "good"));
        events.add(3, Events.of("good", Map.of("CC", "elsewhere"), "1"));
        List<PublishOutcome> outcomes = publish(events);
        assertThat(outcomes.get(3).kind()).isEqualTo(Kind.REFUSED);
        assertThat(outcomes.get(3).reason()).contains("PRECONDITION_FAILED");
        outcomes.remove(3);
        assertThat(outcomes).hasSize(9).containsOnly(PublishOutcome.confirmed());
    }

    /** Documented as what is not promised: a queue that is made so confirms what it throws away. */
    @Test
    void queueWithALengthLimitDropsWhatItHasConfirmed() {
        assumeTrue(broker.server().isRabbitMq(), AmqpServer.HOW_TO_GET_RABBITMQ);
        String five = broker.queue(exchange, "five", Map.of("x-max-length", 5));
        List<OutboxEvent> events = Events.many(20, "five");
        assertThat(publish(events)).hasSize(20).containsOnly(PublishOutcome.confirmed());
        assertThat(broker.takeIds(five)).isEqualTo(Events.ids(events.subList(15, 20)));
    }

    @Test
    void whatAmqpCannotCarryIsRefusedBeforeItIsSent() {
        Routing routing = event -> new Destination(exchange, event.headers().get("key") + "");
        String ascii255 = "good." + "a".repeat(250);
        List<OutboxEvent> events = List.of(
                Events.of("t", Map.of("key", ascii255), "1"),
                Events.of("t", Map.of("key", ascii255 + "a"), "1"),
                Events.of("t", Map.of("key", "é".repeat(128)), "1"),
                Events.of("t".repeat(300), Map.of("key", "good"), "1"),
                Events.of("t", Map.of("key", "good", "h".repeat(256), 1L), "1"),
                Events.of("t", Map.of("key", "good", "large", "x".repeat(200_000)), "1"),
                Events.of("t", Map.of("key", "good"), "1"));
        List<PublishOutcome> outcomes = publish(routing, events);
        assertThat(outcomes)
                .containsExactly(
                        PublishOutcome.confirmed(),
                        PublishOutcome.refused("routing key must be at most 255 bytes in UTF-8 (was 256)"),
                        PublishOutcome.refused("routing key must be at most 255 bytes in UTF-8 (was 256)"),
                        PublishOutcome.refused("type must be at most 255 bytes in UTF-8 (was 300)"),
                        PublishOutcome.refused("header name must be at most 255 bytes in UTF-8 (was 256)"),
                        outcomes.get(5),
                        PublishOutcome.confirmed());
        assertThat(outcomes.get(5).reason()).startsWith("properties and headers must be at most");
        assertThat(broker.takeIds(queue)).hasSize(2);
    }

    @Test
    void routingThatThrowsRefusesItsEventAlone() {
        Routing routing = event -> {
            if (event.eventType().equals("bad")) {
                throw new IllegalStateException("no idea where to");
            }
            return new Destination(exchange, "good");
        };
        assertThat(publish(routing, List.of(Events.of("good"), Events.of("bad"), Events.of("good"))))
                .containsExactly(
                        PublishOutcome.confirmed(),
                        PublishOutcome.refused("the routing failed: no idea where to"),
                        PublishOutcome.confirmed());
    }

    @Test
    void errorInTheRoutingRefusesItsEventAlone() {
        Routing routing = event -> {
            if (event.eventType().equals("bad")) {
                throw new StackOverflowError("too deep");
            }
            return new Destination(exchange, "good");
        };
        assertThat(publish(routing, List.of(Events.of("good"), Events.of("bad"), Events.of("good"))))
                .containsExactly(
                        PublishOutcome.confirmed(),
                        PublishOutcome.refused("the routing failed: too deep"),
                        PublishOutcome.confirmed());
    }

    /** A map that has no entry for the type is the likeliest slip, and no checker sees it in a user's code. */
    @Test
    @SuppressWarnings("NullAway")
    void routingThatReturnsNullRefusesItsEventAlone() {
        Map<String, Destination> destinations = Map.of("good", new Destination(exchange, "good"));
        assertThat(publish(
                        event -> destinations.get(event.eventType()),
                        List.of(Events.of("good"), Events.of("bad"), Events.of("good"))))
                .containsExactly(
                        PublishOutcome.confirmed(),
                        PublishOutcome.refused("the routing failed: it must return a destination (was null)"),
                        PublishOutcome.confirmed());
    }

    /** Neither waits nor cuts the connection, which other workers use. */
    @Test
    void clientThatThrowsCostsItsEventAnAttemptAndTheChannelAtOnce() {
        ThirdFails metrics = new ThirdFails();
        ConnectionFactory factory = broker.factory();
        factory.setMetricsCollector(metrics);
        try (RabbitPublisher publisher = RabbitPublisher.create(factory, Routing.toExchange(exchange));
                PublisherSession session = publisher.open()) {
            long start = System.nanoTime();
            List<PublishOutcome> outcomes = session.publish(Events.many(4, "good"), TIMEOUT);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
            assertThat(outcomes.get(2)).isEqualTo(PublishOutcome.refused("fails on purpose"));
            assertThat(outcomes.get(3).kind()).isEqualTo(Kind.UNKNOWN);
            assertThatThrownBy(() -> session.awaitReady(TIMEOUT)).isInstanceOf(PublisherUnavailableException.class);
            try (PublisherSession next = publisher.open()) {
                assertThat(next.publish(Events.many(4, "good"), TIMEOUT)).containsOnly(PublishOutcome.confirmed());
            }
        }
        assertThat(metrics.connections()).isEqualTo(1);
    }

    @Test
    void fullQueueThatRejectsMakesItsEventsRefused() {
        assumeTrue(broker.server().isRabbitMq(), AmqpServer.HOW_TO_GET_RABBITMQ);
        broker.queue(exchange, "full", Map.of("x-max-length", 5, "x-overflow", "reject-publish"));
        List<PublishOutcome> outcomes = publish(Events.many(50, "full"));
        assertThat(outcomes).contains(PublishOutcome.nacked("the broker nacked the message"));
        assertThat(outcomes.stream().filter(PublishOutcome.confirmed()::equals)).hasSizeBetween(5, 49);
    }

    @Test
    void bodiesOfAllSizesArrive() {
        List<OutboxEvent> events = IntStream.of(0, 1, 200, 131_072, 300_000, 5_000_000)
                .mapToObj(size -> Events.of("good", Map.of(), "x".repeat(size)))
                .toList();
        assertThat(publish(events)).containsOnly(PublishOutcome.confirmed());
        assertThat(broker.take(queue))
                .extracting(message -> message.getBody().length)
                .containsExactly(0, 1, 200, 131_072, 300_000, 5_000_000);
    }

    @Test
    void interruptedPublishReturnsAtOnceAndStaysInterrupted() {
        try (RabbitPublisher publisher = RabbitPublisher.create(broker.factory(), Routing.toExchange(exchange));
                PublisherSession session = publisher.open()) {
            Thread.currentThread().interrupt();
            List<PublishOutcome> outcomes = session.publish(Events.many(100, "good"), TIMEOUT);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(outcomes).hasSize(100).extracting(PublishOutcome::kind).doesNotContain(Kind.REFUSED);
        }
    }

    @Test
    void unreachableBrokerIsNamedWithoutThePassword() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        try (RabbitPublisher publisher = publisherTo("amqp://scott:tiger@127.0.0.1:" + port)) {
            assertThatThrownBy(publisher::open)
                    .isInstanceOf(PublisherUnavailableException.class)
                    .hasMessageContaining("127.0.0.1:" + port)
                    .hasMessageContaining("user scott")
                    .hasMessageContaining("refused")
                    .message()
                    .doesNotContain("tiger");
        }
    }

    @Test
    void wrongPasswordIsSaid() {
        ConnectionFactory factory = broker.factory();
        factory.setPassword("wrong-one");
        try (RabbitPublisher publisher = RabbitPublisher.create(factory, Routing.toExchange(exchange))) {
            assertThatThrownBy(publisher::open)
                    .isInstanceOf(PublisherUnavailableException.class)
                    .hasMessageContaining("user guest")
                    .message()
                    .doesNotContain("wrong-one");
        }
    }

    @Test
    void closedPublisherOpensNothing() {
        RabbitPublisher publisher = RabbitPublisher.create(broker.factory(), Routing.toExchange(exchange));
        publisher.close();
        assertThatThrownBy(publisher::open).hasMessage("the publisher is closed");
    }

    private RabbitPublisher publisherTo(String uri) {
        return RabbitPublisher.create(Broker.factory(uri), Routing.toExchange(exchange));
    }

    private List<PublishOutcome> publish(List<OutboxEvent> events) {
        return publish(Routing.toExchange(exchange), events);
    }

    private List<PublishOutcome> publish(Routing routing, List<OutboxEvent> events) {
        try (RabbitPublisher publisher = RabbitPublisher.create(broker.factory(), routing);
                PublisherSession session = publisher.open()) {
            return new ArrayList<>(session.publish(events, TIMEOUT));
        }
    }

    /** A collector that throws at the third message, as the client does at what it cannot encode. */
    private static final class ThirdFails extends Openings {
        @Override
        public void basicPublish(Channel channel) {
            super.basicPublish(channel);
            if (messages() == 3) {
                throw new IllegalStateException("fails on purpose");
            }
        }
    }
}
