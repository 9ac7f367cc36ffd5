package dev.typedoutbox.relay;

import static dev.typedoutbox.relay.RelayFixture.QUICK_RETRY;
import static dev.typedoutbox.relay.RelayFixture.drain;
import static dev.typedoutbox.relay.RelayFixture.eventually;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static dev.typedoutbox.relay.RelayFixture.refusing;
import static dev.typedoutbox.relay.RelayFixture.runOnce;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.relay.PublishOutcome.Kind;
import dev.typedoutbox.support.LogRecorder;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** What an observer is told, and that it cannot do harm. */
class RelayObserverTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();

    private final InMemoryPublisher publisher = new InMemoryPublisher();
    private final Recorder recorder = new Recorder();

    @BeforeEach
    void empty() {
        DATABASE.empty();
    }

    @Test
    void committedBatchIsToldWithEachAttempt() throws Exception {
        DATABASE.insertEvents(4, 2);
        publisher.answer(refusing("1"));
        Instant before = Instant.now();

        BatchResult result = runOnce(DATABASE.dataSource(), publisher, quick().observer(recorder));

        assertThat(recorder.results).containsExactly(result);
        assertThat(result).isEqualTo(new BatchResult(4, 2, 1, 0, 0));
        assertThat(recorder.attempts)
                .extracting(attempt ->
                        attempt.event().aggregateId() + " " + attempt.outcome().kind())
                .containsExactlyInAnyOrder("0 CONFIRMED", "1 REFUSED", "0 CONFIRMED");
        assertThat(recorder.attempts).allSatisfy(attempt -> {
            assertThat(attempt.number()).isEqualTo(1);
            assertThat(attempt.sentAt()).isBetween(before, Instant.now());
            assertThat(attempt.took()).isPositive();
        });
    }

    @Test
    void attemptsAreNumbered() throws Exception {
        DATABASE.insertEvents(1, 1);
        publisher.answer(event -> PublishOutcome.refused("no such queue"));

        drain(DATABASE, publisher, quick().retryPolicy(QUICK_RETRY).observer(recorder));

        assertThat(recorder.attempts).extracting(PublishAttempt::number).containsExactly(1, 2, 3);
        assertThat(recorder.results.get(2).dead()).isEqualTo(1);
    }

    @Test
    void nothingFoundIsNotTold() throws Exception {
        runOnce(DATABASE.dataSource(), publisher, quick().observer(recorder));

        assertThat(recorder.results).isEmpty();
    }

    @Test
    void failureOfTheDatabaseIsTold() {
        PGSimpleDataSource nowhere = new PGSimpleDataSource();
        nowhere.setURL("jdbc:postgresql://127.0.0.1:1/nothing");

        assertThatThrownBy(() -> runOnce(nowhere, publisher, quick().observer(recorder)))
                .isInstanceOf(DataAccessException.class);

        assertThat(recorder.failures).hasSize(1);
    }

    @Test
    void startAndEndAreToldWithTheRelay() {
        Relay relay = Relay.create(
                DATABASE.dataSource(), publisher, quick().observer(recorder).build());

        relay.start();
        assertThat(recorder.relays).containsExactly(relay);
        relay.close();

        assertThat(recorder.relays).isEmpty();
    }

    @Test
    void oneThatThrowsHarmsNobody() {
        DATABASE.insertEvents(10, 10);
        RelayConfig config = quick().observer(new Thrower()).observer(recorder).build();

        try (LogRecorder log = new LogRecorder();
                Relay relay = Relay.create(DATABASE.dataSource(), publisher, config)) {
            relay.start();
            RelayFixture.awaitPending(DATABASE, 0);
            eventually(() -> recorder.attempts.size() == 10);
            assertThat(recorder.attempts)
                    .allSatisfy(attempt -> assertThat(attempt.outcome().kind()).isEqualTo(Kind.CONFIRMED));
            assertThat(log.lines()).singleElement().asString().startsWith("an observer of the relay failed");
        }

        assertThat(publisher.sent()).hasSize(10);
        assertThat(recorder.relays).isEmpty();
    }

    private static final class Recorder implements RelayObserver {
        final List<Relay> relays = Collections.synchronizedList(new ArrayList<>());
        final List<BatchResult> results = Collections.synchronizedList(new ArrayList<>());
        final List<PublishAttempt> attempts = Collections.synchronizedList(new ArrayList<>());
        final List<Exception> failures = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void started(Relay relay) {
            relays.add(relay);
        }

        @Override
        public void stopped(Relay relay) {
            relays.remove(relay);
        }

        @Override
        public void batchDone(BatchResult result, Duration took, List<PublishAttempt> attempted) {
            assertThat(took).isPositive();
            results.add(result);
            attempts.addAll(attempted);
        }

        @Override
        public void batchFailed(Exception failure) {
            failures.add(failure);
        }
    }

    private static final class Thrower implements RelayObserver {
        @Override
        public void started(Relay relay) {
            throw new IllegalStateException("on purpose");
        }

        @Override
        public void stopped(Relay relay) {
            throw new IllegalStateException("on purpose");
        }

        @Override
        public void batchDone(BatchResult result, Duration took, List<PublishAttempt> attempted) {
            throw new AssertionError("on purpose");
        }
    }
}
