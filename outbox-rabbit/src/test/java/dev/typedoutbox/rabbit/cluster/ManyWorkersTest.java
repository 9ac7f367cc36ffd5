package dev.typedoutbox.rabbit.cluster;

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
import dev.typedoutbox.relay.PublisherSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many threads on one publisher, and so on one connection. */
class ManyWorkersTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration SLOWEST = Duration.ofSeconds(5);
    private static final List<Integer> SIZES = List.of(0, 200, 300 * 1024, 0, 200);

    private final Broker broker = Broker.shared();
    private final String exchange = broker.exchange();
    private final Openings openings = new Openings();
    private final RabbitPublisher publisher = publisher();

    @AfterEach
    void close() {
        publisher.close();
    }

    /** Frames of one message among those of another would end the connection, and another would take its place. */
    @Test
    void thirtyTwoThreadsWithBodiesOfAllSizesDoNotSpoilEachOthersFrames() throws Exception {
        String queue = broker.queue(exchange, "#");
        ExecutorService threads = Executors.newFixedThreadPool(32);
        try {
            List<Future<List<OutboxEvent>>> work = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                work.add(threads.submit(this::publishOfAllSizes));
            }
            List<OutboxEvent> sent = new ArrayList<>();
            for (Future<List<OutboxEvent>> part : work) {
                sent.addAll(part.get(1, TimeUnit.MINUTES));
            }
            assertThat(openings.connections()).isEqualTo(1);
            assertThat(openings.channels()).isEqualTo(32);
            List<String> arrived = broker.takeIds(queue);
            assertThat(arrived).hasSize(32 * 5 * SIZES.size());
            assertThat(new HashSet<>(arrived)).isEqualTo(new HashSet<>(Events.ids(sent)));
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void slowestConfirmOfEightThreadsStaysBounded() throws Exception {
        twoThousandASecond(Duration.ofSeconds(5));
    }

    @Test
    @Tag("thorough")
    void slowestConfirmOfEightThreadsStaysBoundedForAMinute() throws Exception {
        twoThousandASecond(Duration.ofMinutes(1));
    }

    private List<OutboxEvent> publishOfAllSizes() {
        List<OutboxEvent> sent = new ArrayList<>();
        try (PublisherSession session = publisher.open()) {
            for (int group = 0; group < 5; group++) {
                List<OutboxEvent> events = SIZES.stream()
                        .map(size -> Events.of("t", Map.of(), "x".repeat(size)))
                        .toList();
                assertThat(session.publish(events, TIMEOUT)).containsOnly(PublishOutcome.confirmed());
                sent.addAll(events);
            }
        }
        return sent;
    }

    /** Eight sessions with 25 events each, ten times a second. */
    private void twoThousandASecond(Duration length) throws Exception {
        broker.queue(exchange, "#", Map.of("x-max-length", 1_000));
        long rounds = length.toMillis() / 100;
        ConcurrentLinkedQueue<Duration> times = new ConcurrentLinkedQueue<>();
        ScheduledExecutorService threads = Executors.newScheduledThreadPool(8);
        List<PublisherSession> sessions =
                IntStream.range(0, 8).mapToObj(i -> publisher.open()).toList();
        try {
            List<? extends Future<?>> tasks = sessions.stream()
                    .map(session -> threads.scheduleAtFixedRate(
                            () -> times.add(publishSmall(session)), 0, 100, TimeUnit.MILLISECONDS))
                    .toList();
            await().atMost(length.multipliedBy(3))
                    .until(() -> times.size() >= 8 * rounds || tasks.stream().anyMatch(Future::isDone));
            assertThat(tasks).noneMatch(Future::isDone);
        } finally {
            threads.shutdownNow();
            sessions.forEach(PublisherSession::close);
        }
        assertThat(times).allSatisfy(time -> assertThat(time).isLessThan(SLOWEST));
        assertThat(openings.connections()).isEqualTo(1);
        assertThat(openings.channels()).isEqualTo(8);
    }

    private static Duration publishSmall(PublisherSession session) {
        long start = System.nanoTime();
        assertThat(session.publish(Events.many(25, "t"), TIMEOUT)).containsOnly(PublishOutcome.confirmed());
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private RabbitPublisher publisher() {
        ConnectionFactory factory = broker.factory();
        factory.setMetricsCollector(openings);
        return RabbitPublisher.create(factory, Routing.toExchange(exchange));
    }
}
