package dev.typedoutbox.testkit.outbox;

import static dev.typedoutbox.testkit.outbox.OutboxAssertions.assertThatOutbox;
import static dev.typedoutbox.testkit.outbox.Writer.created;
import static dev.typedoutbox.testkit.outbox.Writer.paid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.relay.BatchResult;
import dev.typedoutbox.relay.DeadLetterPolicy;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.PublisherUnavailableException;
import dev.typedoutbox.relay.RelayConfig;
import dev.typedoutbox.relay.RetryPolicy;
import dev.typedoutbox.testkit.InMemoryPublisher;
import dev.typedoutbox.testkit.junit.OutboxDatabaseExtension;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SteppableRelayTest {
    @RegisterExtension
    static final OutboxDatabaseExtension DATABASE = OutboxDatabaseExtension.create();

    private final Writer writer = new Writer(DATABASE.dataSource());
    private final InMemoryPublisher publisher = new InMemoryPublisher();

    @Test
    void everythingThatIsDueIsPublishedInOrderOnTheCallingThread() {
        Set<Thread> threads = new HashSet<>();
        publisher.answer(event -> {
            threads.add(Thread.currentThread());
            return PublishOutcome.confirmed();
        });
        writer.write(IntStream.range(0, 25).mapToObj(i -> created("" + i)).toArray(NewEvent[]::new));
        writer.write(paid("0"));

        BatchResult result = relay(RelayConfig.builder().batchSize(10).build()).publishDue();

        assertThat(result).isEqualTo(new BatchResult(26, 26, 0, 0, 0));
        assertThat(publisher.published())
                .filteredOn(event -> event.aggregateId().equals("0"))
                .extracting(OutboxEvent::eventType)
                .containsExactly("order.created", "order.paid");
        assertThat(threads).containsExactly(Thread.currentThread());
        assertThatOutbox(DATABASE.dataSource()).pending().isEmpty();
    }

    @Test
    void stepPublishesOneBatch() {
        writer.write(created("1"), paid("1"), created("2"));
        SteppableRelay relay = relay(RelayConfig.builder().batchSize(1).build());

        assertThat(relay.step().published()).isEqualTo(1);
        assertThatOutbox(DATABASE.dataSource()).pending().hasSize(2);
    }

    @Test
    void nothingHappensBetweenTheSteps() {
        SteppableRelay relay = relay(RelayConfig.defaults());
        assertThat(relay.publishDue()).isEqualTo(new BatchResult(0, 0, 0, 0, 0));
        writer.write(created("1"));

        assertThat(publisher.sent()).isEmpty();
    }

    @Test
    void eventsOfWhichNothingIsKnownStayAndEndTheStep() {
        publisher.answer("order.paid", PublishOutcome.unknown("the connection was lost"));
        writer.write(created("1"), paid("2"));
        SteppableRelay relay = relay(RelayConfig.defaults());

        assertThat(relay.publishDue()).isEqualTo(new BatchResult(2, 1, 0, 0, 1));
        assertThat(relay.drain().unknown()).isEqualTo(1);
        publisher.reset();
        assertThat(relay.drain().published()).isEqualTo(1);
    }

    @Test
    void outageIsThrownAndCountsNoAttempt() {
        writer.write(created("1"));
        SteppableRelay relay = relay(RelayConfig.defaults());
        publisher.setAvailable(false);

        assertThatThrownBy(relay::publishDue).isInstanceOf(PublisherUnavailableException.class);

        publisher.setAvailable(true);
        assertThat(relay.publishDue().published()).isEqualTo(1);
        assertThat(DATABASE.outbox().events().get(0).attempts()).isZero();
    }

    @Test
    void drainTriesUntilEachIsPublishedOrDead() {
        publisher.answer("order.paid", PublishOutcome.returned("no queue takes it"));
        writer.write(created("1"), paid("1"), created("2"));
        RetryPolicy threeTimes = new RetryPolicy(3, Duration.ofHours(1), Duration.ofHours(1));

        BatchResult result =
                relay(RelayConfig.builder().retryPolicy(threeTimes).build()).drain();

        assertThat(result).isEqualTo(new BatchResult(5, 2, 3, 1, 0));
        assertThatOutbox(DATABASE.dataSource()).dead().hasEvent("order.paid").once();
        assertThatOutbox(DATABASE.dataSource()).pending().isEmpty();
    }

    @Test
    void drainEndsWhereADeadLetterHoldsItsAggregate() {
        publisher.answer("order.created", PublishOutcome.returned("no queue takes it"));
        writer.write(created("1"), paid("1"));
        RetryPolicy twice = new RetryPolicy(2, Duration.ofHours(1), Duration.ofHours(1));

        relay(RelayConfig.builder()
                        .retryPolicy(twice)
                        .deadLetterPolicy(DeadLetterPolicy.HOLD_AGGREGATE)
                        .build())
                .drain();

        assertThatOutbox(DATABASE.dataSource()).pending().hasExactlyTypes("order.paid");
    }

    @Test
    void interruptEndsTheStepAndIsKept() {
        writer.write(created("1"));
        publisher.setBlocked(true);
        Thread.currentThread().interrupt();

        assertThatThrownBy(relay(RelayConfig.defaults())::step)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("interrupted during a batch");
        assertThat(Thread.interrupted()).isTrue();
    }

    private SteppableRelay relay(RelayConfig config) {
        return SteppableRelay.create(DATABASE.dataSource(), publisher, config);
    }
}
