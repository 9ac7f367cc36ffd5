package dev.typedoutbox.relay;

import static dev.typedoutbox.relay.RelayFixture.drain;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static dev.typedoutbox.relay.RelayFixture.refusing;
import static dev.typedoutbox.relay.RelayFixture.runOnce;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.deadletter.DeadLetters;
import dev.typedoutbox.store.OutboxStore;
import dev.typedoutbox.store.Slots;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of an aggregate after the last attempt at one of its events. */
@NullUnmarked
class DeadLetterPolicyTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();
    private static final RetryPolicy ONE_ATTEMPT = new RetryPolicy(1, Duration.ofMillis(1), Duration.ofMillis(1));

    private final InMemoryPublisher publisher = new InMemoryPublisher();
    private final DeadLetters deadLetters = DeadLetters.of(DATABASE.dataSource());
    private UUID first;
    private UUID second;

    @BeforeEach
    void makeTheFirstOfTwoEventsADeadLetter() throws Exception {
        DATABASE.empty();
        first = DATABASE.publish("bad", "order.created");
        second = DATABASE.publish("bad", "order.paid");
        publisher.answer(refusing("bad"));
    }

    @Test
    void laterEventsGoOnByDefault() throws Exception {
        RelayConfigBuilder config = quick().retryPolicy(ONE_ATTEMPT);
        runOnce(DATABASE.dataSource(), publisher, config);
        publisher.answer(event -> PublishOutcome.confirmed());
        drain(DATABASE, publisher, config);
        assertThat(publisher.sent()).extracting(OutboxEvent::id).containsExactly(first, second);
        assertThat(deadLetters.count()).isEqualTo(1);
    }

    @Test
    void deadLettersAreNotWalkedByTheEventsThatFollowThem() {
        DATABASE.execute(
                "insert into outbox_events (aggregate_type, aggregate_id, event_type, payload, dead_at, last_error)"
                        + " select 'order', 'bad', 'e', '1', now(), 'refused' from generate_series(1, 2000)");
        DATABASE.insertEvents(100, 1);
        DATABASE.execute("update outbox_events set aggregate_id = 'bad'");
        RelayConfig config = quick().build();
        OutboxStore store = Queries.of(config).store();

        DATABASE.dsl().transaction(tx -> {
            Slots slots = Slots.all().only(store.lockSlots(tx.dsl(), Slots.all(), Slots.COUNT));
            assertThat(store.candidates(tx.dsl(), slots, 50)).hasSize(50);
            assertThat(tx.dsl()
                            .fetchSingle("select pg_stat_get_xact_tuples_returned('idx_outbox_waiting'::regclass)"
                                    + " + pg_stat_get_xact_tuples_returned('idx_outbox_dead_of_aggregate'::regclass)")
                            .get(0, Long.class))
                    .isZero();
        });
    }

    @Test
    void heldAggregateWaitsUntilItsDeadLetterIsRetriedAndThenKeepsItsOrder() throws Exception {
        hold();
        UUID other = DATABASE.publish("good", "order.created");
        assertThat(runHolding().published()).isEqualTo(1);
        assertThat(runHolding().fetched()).isZero();

        assertThat(deadLetters.retry(first)).isTrue();
        assertThat(runHolding().published()).isEqualTo(2);
        assertThat(publisher.sent()).extracting(OutboxEvent::id).containsExactly(first, other, first, second);
    }

    @Test
    void heldAggregateGoesOnWhenItsDeadLetterIsDiscarded() throws Exception {
        hold();
        assertThat(runHolding().fetched()).isZero();
        assertThat(deadLetters.discard(first, "paid twice")).isTrue();
        assertThat(deadLetters.discard(second, "paid twice")).isFalse();
        assertThat(runHolding().published()).isEqualTo(1);
        assertThat(publisher.sent()).extracting(OutboxEvent::id).containsExactly(first, second);
    }

    @Test
    void policyOfAnEventTypeGoesBeforeTheGeneralOne() throws Exception {
        RetryPolicy patient = new RetryPolicy(5, Duration.ofMinutes(10), Duration.ofMinutes(10));
        RelayConfigBuilder config = quick().retryPolicy(ONE_ATTEMPT).retryPolicy("order.created", patient);
        DATABASE.publish("bad-too", "order.paid");
        publisher.answer(event -> PublishOutcome.refused("no such queue"));
        assertThat(runOnce(DATABASE.dataSource(), publisher, config)).isEqualTo(new BatchResult(3, 0, 2, 1, 0));
        assertThat(DATABASE.column("select event_type from outbox_events where dead_at is not null"))
                .containsExactly("order.paid");
    }

    @Test
    void unorderedRelayCannotHoldAggregates() {
        assertThatThrownBy(() -> RelayConfig.builder()
                        .ordered(false)
                        .deadLetterPolicy(DeadLetterPolicy.HOLD_AGGREGATE)
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("deadLetterPolicy must be GO_ON where ordered is false (was HOLD_AGGREGATE)");
    }

    private void hold() throws Exception {
        assertThat(runHolding().dead()).isEqualTo(1);
        publisher.answer(event -> PublishOutcome.confirmed());
    }

    private BatchResult runHolding() throws Exception {
        return runOnce(
                DATABASE.dataSource(),
                publisher,
                quick().retryPolicy(ONE_ATTEMPT).deadLetterPolicy(DeadLetterPolicy.HOLD_AGGREGATE));
    }
}
