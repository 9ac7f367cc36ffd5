package dev.typedoutbox.cluster;

import static dev.typedoutbox.relay.RelayFixture.awaitPending;
import static dev.typedoutbox.relay.RelayFixture.eventually;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static dev.typedoutbox.relay.RelayFixture.runOnce;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.relay.BatchResult;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import dev.typedoutbox.relay.RelayConfigBuilder;
import dev.typedoutbox.relay.RetryPolicy;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two versions of an application side by side, as in a rolling update: the old one does not know where the events go. */
class DifferentRelaysTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();
    private static final Duration RETRY = Duration.ofMillis(20);

    private final InMemoryPublisher old = new InMemoryPublisher();
    private final InMemoryPublisher current = new InMemoryPublisher();

    @BeforeEach
    void empty() {
        DATABASE.empty();
        old.answer(event -> PublishOutcome.refused("the routing failed: unknown type"));
    }

    @Test
    void eventsThatTheOldRelayCannotRouteAreFreeForTheNewOneWhenTheirRetryIsDue() throws Exception {
        DATABASE.insertEvents(10, 10);
        RelayConfigBuilder config = quick().retryPolicy(new RetryPolicy(5, RETRY, RETRY));

        assertThat(runOnce(DATABASE.dataSource(), old, config)).isEqualTo(new BatchResult(10, 0, 10, 0, 0));
        eventually(() -> DATABASE.count("retry_after > clock_timestamp()") == 0);
        assertThat(runOnce(DATABASE.dataSource(), current, config)).isEqualTo(new BatchResult(10, 10, 0, 0, 0));
        assertThat(DATABASE.count("attempts = 1 and processed_at is not null")).isEqualTo(10);
    }

    @Test
    void newRelayPublishesAllThatItKnowsBesideAnOldOne() {
        DATABASE.insertEvents(200, 200);
        RelayConfig config =
                quick().retryPolicy(new RetryPolicy(1_000, RETRY, RETRY)).build();
        try (HikariDataSource pool = DATABASE.pool(true);
                Relay first = Relay.create(pool, old, config);
                Relay second = Relay.create(pool, current, config)) {
            first.start();
            eventually(() -> DATABASE.count("attempts > 0") > 0);
            second.start();
            awaitPending(DATABASE, 0);
        }
        assertThat(current.sent()).extracting(OutboxEvent::id).hasSize(200).doesNotHaveDuplicates();
        assertThat(DATABASE.count("dead_at is not null")).isZero();
    }
}
