package dev.typedoutbox.relay;

import static dev.typedoutbox.relay.RelayFixture.QUICK_RETRY;
import static dev.typedoutbox.relay.RelayFixture.drain;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static dev.typedoutbox.relay.RelayFixture.refusing;
import static dev.typedoutbox.relay.RelayFixture.runOnce;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.deadletter.DeadLetter;
import dev.typedoutbox.deadletter.DeadLetterFilter;
import dev.typedoutbox.deadletter.DeadLetters;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of events that the broker refuses, or says nothing about. */
@NullUnmarked
class RelayFailureTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();
    private static final RetryPolicy SLOW_RETRY = new RetryPolicy(8, Duration.ofMinutes(10), Duration.ofMinutes(15));

    private final InMemoryPublisher publisher = new InMemoryPublisher();
    private final DeadLetters deadLetters = DeadLetters.of(DATABASE.dataSource());

    @BeforeEach
    void empty() {
        DATABASE.empty();
    }

    @Test
    void refusedEventIsCountedAndWaitsForItsRetry() throws Exception {
        DATABASE.publish("bad", "order.created");
        publisher.answer(refusing("bad"));

        BatchResult result = runOnce(DATABASE.dataSource(), publisher, quick().retryPolicy(SLOW_RETRY));

        assertThat(result).isEqualTo(new BatchResult(1, 0, 1, 0, 0));
        assertThat(DATABASE.count("attempts = 1 and last_error = 'no such queue' and processed_at is null"
                        + " and retry_after between now() + interval '9 minutes' and now() + interval '15 minutes'"))
                .isEqualTo(1);
        assertThat(runOnce(DATABASE.dataSource(), publisher, quick()).fetched()).isZero();
    }

    @Test
    void resultOfEachEventIsItsOwn() throws Exception {
        DATABASE.insertEvents(10, 10);
        publisher.answer(event -> switch (event.aggregateId()) {
            case "3" -> PublishOutcome.refused("returned");
            case "7" -> PublishOutcome.unknown("connection lost");
            default -> PublishOutcome.confirmed();
        });

        BatchResult result = runOnce(DATABASE.dataSource(), publisher, quick().retryPolicy(SLOW_RETRY));

        assertThat(result).isEqualTo(new BatchResult(10, 8, 1, 0, 1));
        assertThat(Relay.create(DATABASE.dataSource(), publisher).pendingCount())
                .isEqualTo(2);
        assertThat(DATABASE.column("select aggregate_id from outbox_events where processed_at is null order by seq"))
                .containsExactly("3", "7");
        assertThat(DATABASE.column("select attempts from outbox_events where processed_at is null order by seq"))
                .containsExactly("1", "0");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void hopelessEventIsSentAsOftenAsTheLimitSaysAndThenDead(int limit) throws Exception {
        UUID id = DATABASE.publish("bad", "order.created");
        DATABASE.publish("good", "order.created");
        publisher.answer(refusing("bad"));

        drain(
                DATABASE,
                publisher,
                quick().retryPolicy(new RetryPolicy(limit, Duration.ofMillis(1), Duration.ofMillis(2))));

        assertThat(publisher.sent()).filteredOn(event -> event.id().equals(id)).hasSize(limit);
        assertThat(DATABASE.value("select attempts from outbox_dead_letters")).isEqualTo("" + limit);
        assertThat(deadLetters.count()).isEqualTo(1);
        DeadLetter dead = deadLetters.list(10).get(0);
        assertThat(dead.id()).isEqualTo(id);
        assertThat(dead.attempts()).isEqualTo(limit);
        assertThat(dead.lastError()).isEqualTo("no such queue");
        assertThat(dead.deadAt()).isAfterOrEqualTo(dead.createdAt());
        assertThat(runOnce(DATABASE.dataSource(), publisher, quick()).fetched()).isZero();
    }

    @Test
    void deadLetterThatIsRetriedIsSentWithTheSameIdFromTheFirstAttempt() throws Exception {
        UUID id = DATABASE.publish("bad", "order.created");
        publisher.answer(refusing("bad"));
        drain(DATABASE, publisher, quick().retryPolicy(QUICK_RETRY));
        publisher.answer(event -> PublishOutcome.confirmed());

        assertThat(deadLetters.retry(UUID.randomUUID())).isFalse();
        assertThat(deadLetters.retry(id)).isTrue();
        assertThat(deadLetters.retry(id)).isFalse();

        assertThat(DATABASE.count("attempts = 0 and retry_after is null and dead_at is null"))
                .isEqualTo(1);
        runOnce(DATABASE.dataSource(), publisher, quick());
        assertThat(publisher.sent()).extracting(OutboxEvent::id).hasSize(4).containsOnly(id);
        assertThat(DATABASE.count("processed_at is not null")).isEqualTo(1);
    }

    @Test
    void poisonEventBlocksNobodyButItsOwnAggregate() throws Exception {
        DATABASE.publish("bad", "order.created");
        DATABASE.publish("bad", "order.paid");
        for (int i = 0; i < 50; i++) {
            DATABASE.publish("good" + i, "order.created");
        }
        publisher.answer(event ->
                event.eventType().equals("order.created") ? refusing("bad").apply(event) : PublishOutcome.confirmed());

        runOnce(DATABASE.dataSource(), publisher, quick().retryPolicy(SLOW_RETRY));
        runOnce(DATABASE.dataSource(), publisher, quick().retryPolicy(SLOW_RETRY));

        assertThat(DATABASE.count("processed_at is not null")).isEqualTo(50);
        assertThat(DATABASE.column("select event_type from outbox_events where processed_at is null order by seq"))
                .containsExactly("order.created", "order.paid");
    }

    @Test
    void laterEventOfAPoisonEventsAggregateLeavesWhenThatIsDead() {
        DATABASE.publish("bad", "order.created");
        DATABASE.publish("bad", "order.paid");
        publisher.answer(event -> event.eventType().equals("order.created")
                ? PublishOutcome.refused("no such queue")
                : PublishOutcome.confirmed());

        drain(DATABASE, publisher, quick().retryPolicy(QUICK_RETRY));

        assertThat(publisher.sent())
                .extracting(OutboxEvent::eventType)
                .containsExactly("order.created", "order.created", "order.created", "order.paid");
    }

    @Test
    void withoutOrderLaterEventsOvertakeAWaitingOne() throws Exception {
        DATABASE.publish("bad", "order.created");
        publisher.answer(refusing("bad"));
        runOnce(DATABASE.dataSource(), publisher, quick().retryPolicy(SLOW_RETRY));
        publisher.answer(event -> PublishOutcome.confirmed());
        DATABASE.publish("bad", "order.paid");

        assertThat(runOnce(DATABASE.dataSource(), publisher, quick()).fetched()).isZero();
        assertThat(runOnce(DATABASE.dataSource(), publisher, quick().ordered(false))
                        .published())
                .isEqualTo(1);
    }

    @Test
    void unknownOutcomeLeavesTheRowAsItWasAndTheEventIsSentAgain() throws Exception {
        UUID id = DATABASE.publish("1", "order.created");
        String before = DATABASE.value("select e::text from outbox_events e");
        publisher.answer(event -> PublishOutcome.unknown("connection lost"));

        assertThat(runOnce(DATABASE.dataSource(), publisher, quick())).isEqualTo(new BatchResult(1, 0, 0, 0, 1));
        assertThat(DATABASE.value("select e::text from outbox_events e")).isEqualTo(before);

        publisher.answer(event -> PublishOutcome.confirmed());
        runOnce(DATABASE.dataSource(), publisher, quick());
        assertThat(publisher.sent()).extracting(OutboxEvent::id).containsExactly(id, id);
    }

    @Test
    void outageOfAnyLengthBurnsNoAttempts() {
        DATABASE.insertEvents(20, 5);
        publisher.answer(event -> PublishOutcome.unknown("connection lost"));
        try (Relay relay = Relay.create(
                DATABASE.dataSource(),
                publisher,
                quick().retryPolicy(QUICK_RETRY).build())) {
            relay.start();
            RelayFixture.eventually(() -> publisher.sendings().size() > 4);
            assertThat(relay.state()).isEqualTo(RelayState.WAITING_FOR_BROKER);
            assertThat(DATABASE.count("attempts = 0 and retry_after is null")).isEqualTo(20);

            publisher.answer(event -> PublishOutcome.confirmed());
            RelayFixture.awaitPending(DATABASE, 0);
        }
        assertThat(deadLetters.count()).isZero();
    }

    @ParameterizedTest
    @MethodSource
    void publisherThatBreaksItsContractMarksNothingOfThatWave(BrokenPublish broken) throws Exception {
        DATABASE.insertEvents(4, 2);
        EventPublisher faulty = new BreakingPublisher(broken, () -> {});

        BatchResult result = runOnce(DATABASE.dataSource(), faulty, quick());

        assertThat(result).isEqualTo(new BatchResult(4, 2, 0, 0, 2));
        assertThat(DATABASE.column("select seq from outbox_events where processed_at is not null order by seq"))
                .containsExactly("1", "2");
        assertThat(DATABASE.count("attempts = 0")).isEqualTo(4);
    }

    @Test
    void publisherThatThrowsWhenItIsClosedTooLosesNoVerdict() {
        DATABASE.insertEvents(4, 2);
        EventPublisher faulty = new BreakingPublisher(events -> null, () -> {
            throw new IllegalStateException("a fault at the end");
        });

        // That is of the test's own closing, after the batch.
        assertThatThrownBy(() -> runOnce(DATABASE.dataSource(), faulty, quick()))
                .hasMessage("a fault at the end");

        assertThat(DATABASE.column("select seq from outbox_events where processed_at is not null order by seq"))
                .containsExactly("1", "2");
    }

    static Stream<BrokenPublish> publisherThatBreaksItsContractMarksNothingOfThatWave() {
        return Stream.of(
                events -> {
                    throw new IllegalStateException("a fault in the publisher");
                },
                events -> {
                    throw new NoClassDefFoundError("a.Class");
                },
                events -> List.of(PublishOutcome.confirmed()),
                events -> Collections.nCopies(3, PublishOutcome.confirmed()),
                events -> Collections.nCopies(2, null),
                events -> null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\0", "\uD83D", "😀", "ä"})
    void reasonIsStoredWhateverItHolds(String part) throws Exception {
        DATABASE.publish("1", "order.created");
        publisher.answer(event -> PublishOutcome.refused("a" + part + "b" + part.repeat(5000)));

        runOnce(DATABASE.dataSource(), publisher, quick());

        assertThat(DATABASE.value("select char_length(last_error) from outbox_events"))
                .isEqualTo("2000");
        assertThat(DATABASE.value("select last_error from outbox_events"))
                .startsWith("a" + (part.equals("\0") ? " " : part.equals("\uD83D") ? "?" : part) + "b");
    }

    @Test
    void retryAllRevivesEveryDeadLetterInOrder() throws Exception {
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ids.add(DATABASE.publish("bad", "e" + i));
        }
        publisher.answer(refusing("bad"));
        drain(DATABASE, publisher, quick().retryPolicy(QUICK_RETRY));
        assertThat(deadLetters.list(2)).extracting(DeadLetter::id).isEqualTo(ids.subList(0, 2));
        InMemoryPublisher healed = new InMemoryPublisher();

        assertThat(deadLetters.retryAll()).isEqualTo(3);
        runOnce(DATABASE.dataSource(), healed, quick());

        assertThat(healed.sent()).extracting(OutboxEvent::id).isEqualTo(ids);
    }

    @Test
    void retryAllOfATypeLeavesTheOthersDead() throws Exception {
        DATABASE.publish("bad", "order.created");
        UUID paid = DATABASE.publish("bad", "order.paid");
        publisher.answer(refusing("bad"));
        drain(DATABASE, publisher, quick().retryPolicy(QUICK_RETRY));
        InMemoryPublisher healed = new InMemoryPublisher();

        assertThat(deadLetters.retryAll(DeadLetterFilter.ALL.withEventType("order.paid")))
                .isEqualTo(1);
        runOnce(DATABASE.dataSource(), healed, quick());

        assertThat(healed.sent()).extracting(OutboxEvent::id).containsExactly(paid);
        assertThat(deadLetters.count()).isEqualTo(1);
    }

    @Test
    void rowThatIsParkedForAgesDisturbsNobody() {
        DATABASE.publish("parked", "order.created");
        DATABASE.execute("update outbox_events set retry_after = '9999-12-31'");
        try (Relay relay = Relay.create(DATABASE.dataSource(), publisher, quick().build())) {
            relay.start();
            DATABASE.publish("1", "order.created");
            RelayFixture.awaitPending(DATABASE, 1);
            RelayFixture.always(() -> relay.state() == RelayState.RUNNING);
        }
    }

    @Test
    void rowThatWasMarkedDeadByHandIsListed() {
        DATABASE.publish("1", "order.created");
        DATABASE.execute("update outbox_events set dead_at = now()");

        assertThat(deadLetters.list(1).get(0).lastError()).isNull();
    }

    /** What a faulty publisher answers from its second call on. */
    interface BrokenPublish {
        List<PublishOutcome> publish(List<OutboxEvent> events);
    }

    private record BreakingPublisher(BrokenPublish broken, Runnable closing) implements EventPublisher {
        @Override
        public PublisherSession open() {
            return new PublisherSession() {
                private boolean first = true;

                @Override
                public boolean awaitReady(Duration timeout) {
                    return true;
                }

                @Override
                public List<PublishOutcome> publish(List<OutboxEvent> events, Duration timeout) {
                    boolean healthy = first;
                    first = false;
                    return healthy
                            ? Collections.nCopies(events.size(), PublishOutcome.confirmed())
                            : broken.publish(events);
                }

                @Override
                public void close() {
                    closing.run();
                }
            };
        }

        @Override
        public void close() {}
    }
}
