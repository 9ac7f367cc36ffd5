package dev.typedoutbox.relay;

import static dev.typedoutbox.relay.RelayFixture.always;
import static dev.typedoutbox.relay.RelayFixture.awaitPending;
import static dev.typedoutbox.relay.RelayFixture.eventually;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static org.assertj.core.api.Assertions.assertThat;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.io.IOException;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

/** An interrupt that nobody meant for the relay's threads neither stops them nor makes them spin. */
@Timeout(60)
class StrayInterruptTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();

    private final InMemoryPublisher publisher = new InMemoryPublisher();

    @BeforeEach
    void empty() {
        DATABASE.execute("truncate outbox_events");
    }

    @Test
    void eventsGoOutWhateverAnObserverLeavesBehind() {
        DATABASE.insertEvents(200, 10);
        RelayObserver observer = new RelayObserver() {
            @Override
            public void batchDone(BatchResult result, Duration took, List<PublishAttempt> attempts) {
                Thread.currentThread().interrupt();
            }
        };
        relayPublishesAll(publisher, quick().workers(1).batchSize(20).observer(observer));
        assertThat(publisher.sent()).hasSize(200);
    }

    /** Where a session leaves its thread interrupted. */
    enum Place {
        OPEN,
        READY,
        PUBLISH,
        CLOSE
    }

    @ParameterizedTest
    @EnumSource
    void eventsGoOutWhateverASessionLeavesBehind(Place place) {
        DATABASE.insertEvents(200, 10);
        relayPublishesAll(new Interrupting(place), quick().workers(1).batchSize(20));
        assertThat(publisher.sent()).hasSize(200);
    }

    @Test
    void publisherThatIsInterruptedAgainAndAgainIsTriedWithPauses() {
        AtomicInteger tries = new AtomicInteger();
        EventPublisher interrupted = new EventPublisher() {
            @Override
            public PublisherSession open() {
                tries.incrementAndGet();
                throw Undeclared.of(new InterruptedException("for the test"));
            }

            @Override
            public void close() {
                // Holds nothing.
            }
        };
        try (Relay relay = Relay.create(
                DATABASE.dataSource(), interrupted, quick().workers(1).build())) {
            relay.start();
            eventually(() -> relay.state() == RelayState.WAITING_FOR_BROKER);
            always(() -> tries.get() < 50);
        }
    }

    @Test
    void dataSourceToListenOnThatFailsInItsOwnWayIsTriedWithPauses() {
        AtomicInteger tries = new AtomicInteger();
        PGSimpleDataSource failing = new PGSimpleDataSource() {
            private static final long serialVersionUID = 1L;

            @Override
            public Connection getConnection() {
                tries.incrementAndGet();
                throw Undeclared.of(new IOException("for the test"));
            }
        };
        DATABASE.insertEvents(5, 5);
        try (Relay relay = Relay.create(
                DATABASE.dataSource(), publisher, quick().listenOn(failing).build())) {
            relay.start();
            awaitPending(DATABASE, 0);
            eventually(() -> tries.get() > 1);
            always(() -> tries.get() < 50);
        }
    }

    private static void relayPublishesAll(EventPublisher publisher, RelayConfigBuilder config) {
        try (Relay relay = Relay.create(DATABASE.dataSource(), publisher, config.build())) {
            relay.start();
            awaitPending(DATABASE, 0);
        }
    }

    /** Leaves its thread interrupted at one place, each time. */
    private final class Interrupting implements EventPublisher {
        private final Place place;

        Interrupting(Place place) {
            this.place = place;
        }

        private void interruptAt(Place here) {
            if (here == place) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public PublisherSession open() {
            PublisherSession session = publisher.open();
            interruptAt(Place.OPEN);
            return new PublisherSession() {
                @Override
                public boolean awaitReady(Duration timeout) {
                    interruptAt(Place.READY);
                    return true;
                }

                @Override
                public List<PublishOutcome> publish(List<OutboxEvent> events, Duration timeout) {
                    List<PublishOutcome> outcomes = session.publish(events, timeout);
                    interruptAt(Place.PUBLISH);
                    return outcomes;
                }

                @Override
                public void close() {
                    session.close();
                    interruptAt(Place.CLOSE);
                }
            };
        }

        @Override
        public void close() {
            // The test's.
        }
    }
}
