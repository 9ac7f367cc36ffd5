package dev.typedoutbox.testkit.outbox;

import static dev.typedoutbox.testkit.outbox.Writer.created;
import static dev.typedoutbox.testkit.outbox.Writer.paid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.cleanup.ProcessedEvents;
import dev.typedoutbox.cleanup.PublishedEvents;
import dev.typedoutbox.consumer.IdempotentConsumer;
import dev.typedoutbox.deadletter.DeadLetters;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.RelayConfig;
import dev.typedoutbox.relay.RetryPolicy;
import dev.typedoutbox.status.OutboxStatus;
import dev.typedoutbox.testkit.InMemoryPublisher;
import dev.typedoutbox.testkit.junit.OutboxDatabaseExtension;
import dev.typedoutbox.testkit.outbox.StoredEvent.State;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TestOutboxTest {
    private static final Duration HOUR = Duration.ofHours(1);

    @RegisterExtension
    static final OutboxDatabaseExtension DATABASE = OutboxDatabaseExtension.create();

    private final TestOutbox outbox = DATABASE.outbox();
    private final Writer writer = new Writer(DATABASE.dataSource());
    private final InMemoryPublisher publisher = new InMemoryPublisher();

    @Test
    void rowsAreReadWithTheirStates() {
        publisher.answer("order.created", PublishOutcome.nacked("out of disk space"));
        writer.write(created("1").withHeader("tenant", "acme"), paid("2"));
        relay(8).publishDue();

        List<StoredEvent> rows = outbox.events();

        assertThat(rows).extracting(StoredEvent::state).containsExactly(State.WAITING, State.PROCESSED);
        StoredEvent waiting = rows.get(0);
        assertThat(waiting.attempts()).isEqualTo(1);
        assertThat(waiting.lastError()).isEqualTo("out of disk space");
        assertThat(waiting.retryAfter()).isAfter(waiting.event().createdAt());
        assertThat(waiting.event().headers()).containsEntry("tenant", "acme");
        assertThat(rows.get(1).retryAfter()).isNull();
        assertThat(rows.get(1).lastError()).isNull();
    }

    @Test
    void eventReadsTheSameAsWhatIsPublished() {
        writer.dsl()
                .execute(
                        "insert into outbox_events (aggregate_type, aggregate_id, event_type, payload, headers) values"
                                + " ('order', '1', 'order.created', '{\"total\": 1.50}',"
                                + " '{\"text\": \"ä\", \"n\": 7, \"yes\": true, \"half\": 0.50, \"none\": null,"
                                + " \"tiny\": 0.0000001, \"huge\": 12345678901234567890, \"nested\": {\"a\": [1, 2.50, \"ä\"]}}')");
        relay(8).publishDue();

        var stored = outbox.events().get(0).event();
        var sent = publisher.published().get(0);
        assertThat(stored).usingRecursiveComparison().isEqualTo(sent);
    }

    @Test
    void emptiedOutboxIsEmptyAndWhatFollowsIsPublishedByARelayThatIsThereAlready() {
        SteppableRelay relay = relay(8);
        for (String order : List.of("1", "2", "3")) {
            writer.write(created(order));
            relay.publishDue();
            relay.publishDue();
            outbox.empty();
            assertThat(outbox.events()).isEmpty();
        }

        assertThat(publisher.published())
                .extracting(event -> event.aggregateId())
                .containsExactly("1", "2", "3");
    }

    @Test
    void emptyingForgetsWhatConsumersHaveApplied() {
        IdempotentConsumer consumer = IdempotentConsumer.create(DATABASE.dataSource(), "shipping", (tx, event) -> {});
        writer.write(created("1"));
        var event = outbox.events().get(0).event();
        consumer.apply(event);

        outbox.empty();

        assertThat(processedEvents()).isZero();
    }

    @Test
    void connectionThatNobodyClosedIsNamedAsTheReason() throws SQLException {
        try (Connection leaked = DATABASE.dataSource().getConnection()) {
            leaked.setAutoCommit(false);
            writer.outbox().publish(leaked, created("1"));

            assertThatThrownBy(outbox::empty)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("no transaction may use the outbox while it is emptied (was one that did not end within"
                            + " 5 s): close its connection first");
            leaked.rollback();
        }
        outbox.empty();
    }

    @Test
    void retriesMadeDueAreSentAgainWithTheirAttemptsCounted() {
        publisher.answer(PublishOutcome.nacked("out of disk space"));
        writer.write(created("1"), paid("1"), created("2"));
        SteppableRelay relay = relay(3);
        relay.publishDue();
        assertThat(relay.publishDue().fetched()).isZero();

        assertThat(outbox.makeRetriesDue()).isEqualTo(2);
        assertThat(outbox.makeRetriesDue()).isZero();
        relay.step();

        assertThat(outbox.events()).extracting(StoredEvent::attempts).containsExactly(2, 0, 2);
        assertThat(publisher.sent()).extracting(event -> event.eventType()).containsOnly("order.created");
    }

    @Test
    void deadLettersAreNotMadeDue() {
        publisher.answer(PublishOutcome.nacked("out of disk space"));
        writer.write(created("1"));
        relay(1).publishDue();

        assertThat(outbox.makeRetriesDue()).isZero();
        assertThat(outbox.events()).extracting(StoredEvent::state).containsExactly(State.DEAD);
    }

    @Test
    void retryIsDueWhenItsTimeHasPassedAndNotBefore() {
        publisher.answer(PublishOutcome.nacked("out of disk space"));
        RelayConfig patient = RelayConfig.builder()
                .retryPolicy(new RetryPolicy(8, HOUR, HOUR))
                .build();
        SteppableRelay relay = SteppableRelay.create(DATABASE.dataSource(), publisher, patient);
        writer.write(created("1"));
        relay.publishDue();
        publisher.reset();

        outbox.letTimePass(Duration.ofMinutes(59));
        assertThat(relay.publishDue().fetched()).isZero();
        outbox.letTimePass(Duration.ofMinutes(1));
        assertThat(relay.publishDue().published()).isEqualTo(1);
    }

    @Test
    void everythingOfTheOutboxGetsOlder() {
        publisher.answer("order.paid", PublishOutcome.nacked("out of disk space"));
        writer.write(created("1"), paid("2"));
        relay(1).publishDue();
        writer.write(created("3"));
        Instant died = DeadLetters.of(DATABASE.dataSource()).list(1).get(0).deadAt();

        outbox.letTimePass(HOUR);

        assertThat(DeadLetters.of(DATABASE.dataSource()).list(1).get(0).deadAt())
                .isEqualTo(died.minus(HOUR));
        assertThat(OutboxStatus.of(DATABASE.dataSource()).read().oldestPendingAge())
                .isGreaterThan(HOUR);
    }

    @Test
    void oldRowsArePurgedWhenTheirTimeHasPassed() {
        writer.write(created("1"));
        relay(1).publishDue();
        IdempotentConsumer.create(DATABASE.dataSource(), "shipping", (tx, event) -> {})
                .apply(publisher.published().get(0));
        PublishedEvents published = PublishedEvents.create(DATABASE.dataSource());
        ProcessedEvents applied = ProcessedEvents.create(DATABASE.dataSource());
        assertThat(published.purge(Duration.ofDays(7)) + applied.purge(Duration.ofDays(14)))
                .isZero();

        outbox.letTimePass(Duration.ofDays(15));

        assertThat(published.purge(Duration.ofDays(7))).isEqualTo(1);
        assertThat(applied.purge(Duration.ofDays(14))).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "P36501D"})
    void timeThatCannotPassIsRefused(Duration time) {
        assertThatThrownBy(() -> outbox.letTimePass(time))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("time must be more than zero and at most 36500 days (was " + time + ")");
    }

    private SteppableRelay relay(int attempts) {
        RetryPolicy policy = new RetryPolicy(attempts, Duration.ofSeconds(10), Duration.ofMinutes(1));
        RelayConfig config = RelayConfig.builder().retryPolicy(policy).build();
        return SteppableRelay.create(DATABASE.dataSource(), publisher, config);
    }

    private int processedEvents() {
        return writer.dsl().fetchSingle("select count(*) from processed_events").get(0, Integer.class);
    }
}
