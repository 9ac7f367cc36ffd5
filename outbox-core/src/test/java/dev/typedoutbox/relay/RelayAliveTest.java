package dev.typedoutbox.relay;

import static dev.typedoutbox.relay.RelayFixture.eventually;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whether the threads of a relay live, for probes that restart its process. */
@Timeout(60)
class RelayAliveTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();

    @Test
    void relayIsAliveBeforeItRunsMeanwhileAndAfterwards() {
        Relay relay = Relay.create(
                DATABASE.dataSource(),
                new InMemoryPublisher(),
                quick().listenOn(DATABASE.dataSource()).build());
        assertThat(relay.isAlive()).isTrue();

        relay.start();
        eventually(() -> relay.state() == RelayState.RUNNING);
        assertThat(relay.isAlive()).isTrue();

        relay.close();
        assertThat(relay.isAlive()).isTrue();
    }

    @Test
    void relayWhoseBrokerIsAwayIsAlive() {
        InMemoryPublisher publisher = new InMemoryPublisher();
        publisher.setAvailable(false);
        try (Relay relay = Relay.create(DATABASE.dataSource(), publisher, quick().build())) {
            relay.start();
            eventually(() -> relay.state() == RelayState.WAITING_FOR_BROKER);

            assertThat(relay.isAlive()).isTrue();
        }
    }

    @Test
    void relayThatHasLostAWorkerIsNotAlive() {
        try (Relay relay = Relay.create(
                DATABASE.dataSource(), new DeadlyPublisher(), quick().workers(1).build())) {
            relay.start();
            await().dontCatchUncaughtExceptions().until(() -> !relay.isAlive());

            relay.close();
            assertThat(relay.isAlive()).isTrue();
        }
    }

    /** Its failure cannot even be logged; there is no other that ends a worker. */
    private static final class DeadlyPublisher implements EventPublisher {
        @Override
        public PublisherSession open() {
            throw new IllegalStateException() {
                private static final long serialVersionUID = 1L;

                @Override
                public String getMessage() {
                    throw new UnsupportedOperationException("cannot be told");
                }
            };
        }

        @Override
        public void close() {
            // Holds nothing.
        }
    }
}
