package dev.typedoutbox.relay;

import static org.awaitility.Awaitility.await;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import javax.sql.DataSource;

/** Relays for tests: quick ones, on an outbox's database and a broker in memory. */
public final class RelayFixture {
    public static final RetryPolicy QUICK_RETRY = new RetryPolicy(3, Duration.ofMillis(1), Duration.ofMillis(2));

    private RelayFixture() {}

    public static RelayConfigBuilder quick() {
        return RelayConfig.builder()
                .pollInterval(Duration.ofMillis(5))
                .confirmTimeout(Duration.ofSeconds(2))
                .closeTimeout(Duration.ofSeconds(5));
    }

    /** Runs batches until nothing is pending any more. */
    public static void drain(OutboxDatabase database, InMemoryPublisher publisher, RelayConfigBuilder config) {
        try (Relay relay = Relay.create(database.dataSource(), publisher, config.build())) {
            relay.start();
            awaitPending(database, 0);
        }
    }

    public static BatchResult runOnce(DataSource dataSource, EventPublisher publisher, RelayConfigBuilder config)
            throws InterruptedException {
        return Relay.create(dataSource, publisher, config.build()).runOnce();
    }

    public static void awaitPending(OutboxDatabase database, int events) {
        eventually(() -> database.count("processed_at is null and dead_at is null") == events);
    }

    public static void eventually(Callable<Boolean> condition) {
        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(10))
                .until(condition);
    }

    /** Asks again and again for a while; for what must not happen. */
    public static void always(Callable<Boolean> condition) {
        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(10))
                .during(Duration.ofMillis(700))
                .until(condition);
    }

    public static Function<OutboxEvent, PublishOutcome> refusing(String aggregateId) {
        return event -> event.aggregateId().equals(aggregateId)
                ? PublishOutcome.refused("no such queue")
                : PublishOutcome.confirmed();
    }

    public static Map<String, List<Long>> placesByAggregate(List<OutboxEvent> sent) {
        Map<String, List<Long>> places = new LinkedHashMap<>();
        sent.forEach(event -> places.computeIfAbsent(event.aggregateId(), id -> new ArrayList<>())
                .add(event.seq()));
        return places;
    }
}
