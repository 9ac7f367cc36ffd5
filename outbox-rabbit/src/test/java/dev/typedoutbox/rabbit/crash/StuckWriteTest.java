package dev.typedoutbox.rabbit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.ConnectionFactory;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.rabbit.RabbitPublisher;
import dev.typedoutbox.rabbit.Routing;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.rabbit.support.Events;
import dev.typedoutbox.rabbit.support.Openings;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.PublishOutcome.Kind;
import dev.typedoutbox.relay.PublisherSession;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A frozen broker that does not even take the bytes: what the sockets do not buffer stays in the write. */
class StuckWriteTest {
    /** Not the common pool, which has one thread on a machine with two cores. */
    private static final Executor THREADS = task -> new Thread(task).start();

    private static final Duration LONG = Duration.ofMinutes(2);
    private static final int MORE_THAN_SOCKETS_BUFFER = 64;

    private final Broker broker = BreakableServers.brokerWithTls();
    private final String exchange = broker.exchange();
    private final Openings openings = new Openings();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void writeThatTheBrokerDoesNotTakeIsGivenUpInTime(boolean tls) throws Exception {
        try (RabbitPublisher publisher = publisher(tls);
                PublisherSession session = publisher.open()) {
            List<PublishOutcome> outcomes = whileFrozen(() -> {
                CompletableFuture<List<PublishOutcome>> publish = publish(session, Duration.ofSeconds(1));
                return publish.get(5, TimeUnit.SECONDS);
            });
            assertThat(openings.messages()).isLessThan(MORE_THAN_SOCKETS_BUFFER);
            assertThat(outcomes).extracting(PublishOutcome::kind).containsOnly(Kind.UNKNOWN);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void closeOfThePublisherEndsAWriteThatTheBrokerDoesNotTake(boolean tls) throws Exception {
        RabbitPublisher publisher = publisher(tls);
        PublisherSession session = publisher.open();
        List<PublishOutcome> outcomes = whileFrozen(() -> {
            CompletableFuture<List<PublishOutcome>> publish = publish(session, LONG);
            awaitStuck(publish);
            CompletableFuture.runAsync(publisher::close, THREADS).get(5, TimeUnit.SECONDS);
            return publish.get(1, TimeUnit.SECONDS);
        });
        assertThat(outcomes).extracting(PublishOutcome::kind).containsOnly(Kind.UNKNOWN);
    }

    @Test
    void closeOfTheSessionEndsAWriteThatTheBrokerDoesNotTake() throws Exception {
        try (RabbitPublisher publisher = publisher(true)) {
            PublisherSession session = publisher.open();
            List<PublishOutcome> outcomes = whileFrozen(() -> {
                CompletableFuture<List<PublishOutcome>> publish = publish(session, LONG);
                awaitStuck(publish);
                CompletableFuture.runAsync(session::close, THREADS).get(5, TimeUnit.SECONDS);
                return publish.get(1, TimeUnit.SECONDS);
            });
            assertThat(outcomes).extracting(PublishOutcome::kind).containsOnly(Kind.UNKNOWN);
        }
    }

    private void awaitStuck(CompletableFuture<List<PublishOutcome>> publish) {
        await().until(() -> openings.messages() > 0);
        int[] before = {-1};
        await().pollInterval(Duration.ofMillis(300)).until(() -> {
            boolean stuck = before[0] == openings.messages();
            before[0] = openings.messages();
            return stuck;
        });
        assertThat(before[0]).isLessThan(MORE_THAN_SOCKETS_BUFFER);
        assertThat(publish).isNotDone();
    }

    private <T> T whileFrozen(Work<T> work) throws Exception {
        broker.server().freeze();
        try {
            return work.run();
        } finally {
            broker.server().thaw();
        }
    }

    private RabbitPublisher publisher(boolean tls) {
        ConnectionFactory factory =
                tls ? broker.tlsFactory(broker.server().tlsUri().getPort()) : broker.factory();
        factory.setMetricsCollector(openings);
        return RabbitPublisher.create(factory, Routing.toExchange(exchange));
    }

    private static CompletableFuture<List<PublishOutcome>> publish(PublisherSession session, Duration timeout) {
        String megabyte = "x".repeat(1024 * 1024);
        List<OutboxEvent> events = IntStream.range(0, MORE_THAN_SOCKETS_BUFFER)
                .mapToObj(i -> Events.of("t", Map.of(), megabyte))
                .toList();
        return CompletableFuture.supplyAsync(() -> session.publish(events, timeout), THREADS);
    }

    private interface Work<T> {
        T run() throws Exception;
    }
}
