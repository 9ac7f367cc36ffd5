package dev.typedoutbox.cluster;

import static dev.typedoutbox.relay.RelayFixture.awaitPending;
import static dev.typedoutbox.relay.RelayFixture.eventually;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.sql.Connection;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is under way, between a writer and its commit or between a relay and its broker, while relays poll beside it. */
class EventsInFlightTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();

    private final InMemoryPublisher publisher = new InMemoryPublisher();

    @BeforeEach
    void empty() {
        DATABASE.empty();
    }

    @Test
    void eventsThatWaitForTheirConfirmAreNotSentByOtherPolls() {
        DATABASE.insertEvents(200, 200);
        publisher.setSilent(true);
        RelayConfig config = quick().confirmTimeout(Duration.ofMinutes(1)).build();
        try (HikariDataSource pool = DATABASE.pool(true);
                Relay one = Relay.create(pool, publisher, config);
                Relay two = Relay.create(pool, publisher, config)) {
            one.start();
            two.start();
            eventually(() -> publisher.sent().size() == 200);
            await().during(Duration.ofSeconds(1)).until(() -> publisher.sent().size() == 200);
            publisher.setSilent(false);
            awaitPending(DATABASE, 0);
        }
        assertThat(publisher.sent()).extracting(OutboxEvent::id).hasSize(200).doesNotHaveDuplicates();
    }

    @Test
    void eventIsPublishedThoughLaterOnesWereCommittedAndPublishedBeforeIt() throws Exception {
        try (HikariDataSource pool = DATABASE.pool(true);
                Relay relay = Relay.create(pool, publisher, quick().build());
                Connection early = DATABASE.dataSource().getConnection()) {
            relay.start();
            early.setAutoCommit(false);
            UUID id = Outbox.create().publish(early, NewEvent.of("order", "early", "order.created", "x"));
            for (int round = 1; round <= 3; round++) {
                DATABASE.insertEvents(100, 50);
                awaitPending(DATABASE, 0);
            }
            assertThat(publisher.sent())
                    .hasSize(300)
                    .extracting(OutboxEvent::id)
                    .doesNotContain(id);
            early.commit();
            eventually(() -> publisher.sent().size() == 301);
            assertThat(publisher.sent().get(300).id()).isEqualTo(id);
        }
    }
}
