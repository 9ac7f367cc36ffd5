package dev.typedoutbox.relay;

import static dev.typedoutbox.relay.RelayFixture.awaitPending;
import static dev.typedoutbox.relay.RelayFixture.eventually;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static org.assertj.core.api.Assertions.assertThat;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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
    void relayThatHasLostAThreadIsNotAliveUntilItIsStartedAgain() {
        InMemoryPublisher publisher = new InMemoryPublisher();
        AtomicBoolean losing = new AtomicBoolean(true);
        ThreadFactory threads = work -> new Thread(losing.get() ? () -> {} : work);
        try (Relay relay = new Relay(DATABASE.dataSource(), publisher, quick().build(), threads)) {
            relay.start();
            eventually(() -> !relay.isAlive());

            relay.close();
            assertThat(relay.isAlive()).isTrue();

            losing.set(false);
            relay.start();
            DATABASE.publish("1", "order.created");
            eventually(() -> !publisher.sent().isEmpty());
            assertThat(relay.isAlive()).isTrue();
        }
    }

    static List<Named<Throwable>> failures() {
        return List.of(
                Named.of("not declared", new IOException("no route to the broker")),
                Named.of("an error", new OutOfMemoryError("for the test")),
                Named.of("cannot be told", new UntoldException()));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void relayOutlivesWhateverItsPublisherThrows(Throwable failure) {
        FailingPublisher publisher = new FailingPublisher(failure);
        DATABASE.execute("truncate outbox_events");
        DATABASE.publish("1", "order.created");
        try (Relay relay = Relay.create(
                DATABASE.dataSource(), publisher, quick().workers(1).build())) {
            relay.start();
            awaitPending(DATABASE, 0);

            assertThat(publisher.failed).containsExactlyInAnyOrder("open", "awaitReady", "publish", "close");
            assertThat(relay.isAlive()).isTrue();
        }
    }

    /** Not even the line of the log about it can be written. */
    private static final class UntoldException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new UnsupportedOperationException("cannot be told");
        }
    }

    /** Fails once in each of its methods, as one that is not written in Java may. */
    private static final class FailingPublisher implements EventPublisher {
        private final InMemoryPublisher publisher = new InMemoryPublisher();
        private final Set<String> failed = Collections.synchronizedSet(new LinkedHashSet<>());
        private final Throwable failure;

        FailingPublisher(Throwable failure) {
            this.failure = failure;
        }

        private void failFirst(String method) {
            if (failed.add(method)) {
                throw Undeclared.of(failure);
            }
        }

        @Override
        public PublisherSession open() {
            failFirst("open");
            PublisherSession session = publisher.open();
            return new PublisherSession() {
                @Override
                public boolean awaitReady(Duration timeout) throws InterruptedException {
                    failFirst("awaitReady");
                    return session.awaitReady(timeout);
                }

                @Override
                public List<PublishOutcome> publish(List<OutboxEvent> events, Duration timeout) {
                    failFirst("publish");
                    return session.publish(events, timeout);
                }

                @Override
                public void close() {
                    failFirst("close");
                    session.close();
                }
            };
        }

        @Override
        public void close() {
            publisher.close();
        }
    }
}
