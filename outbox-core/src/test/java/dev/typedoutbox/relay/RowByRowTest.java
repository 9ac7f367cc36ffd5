package dev.typedoutbox.relay;

import static dev.typedoutbox.relay.RelayFixture.drain;
import static dev.typedoutbox.relay.RelayFixture.eventually;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.deadletter.DeadLetters;
import dev.typedoutbox.metrics.RelayMetrics;
import dev.typedoutbox.support.LogRecorder;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that the application's own triggers and constraints do not let be marked. */
@NullUnmarked
class RowByRowTest {
    private final OutboxDatabase database = OutboxDatabase.create();
    private final InMemoryPublisher publisher = new InMemoryPublisher();

    @BeforeEach
    void refuseToMarkOrderThree() {
        database.execute("create function refuse() returns trigger language plpgsql as $$ begin"
                + " if new.processed_at is not null and new.aggregate_id = '3' then raise 'not this one'; end if;"
                + " return new; end $$");
        database.insertEvents(10, 10);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "create trigger refuse before update on outbox_events for each row execute function refuse()",
                "create or replace function refuse() returns trigger language plpgsql as $$ begin"
                        + " if new.processed_at is not null and new.aggregate_id = '3' then"
                        + " raise 'not this one' using errcode = 'ZX001'; end if; return new; end $$;"
                        + " create trigger refuse before update on outbox_events for each row execute function refuse()",
                "create constraint trigger refuse after update on outbox_events deferrable initially deferred"
                        + " for each row execute function refuse()",
                "alter table outbox_events add constraint \"not this one\""
                        + " check (processed_at is null or aggregate_id <> '3')"
            })
    void rowThatCannotBeMarkedCostsOnlyItselfItsAttempts(String trigger) {
        database.execute(trigger);
        // With one worker: the locks end with the transaction that failed, and another worker may send the batch once
        // more.
        drain(database, publisher, quick().workers(1).retryPolicy(RelayFixture.QUICK_RETRY));

        assertThat(sendings("3")).isEqualTo(RelayFixture.QUICK_RETRY.maxAttempts());
        assertThat(publisher.sent()).hasSize(9 + RelayFixture.QUICK_RETRY.maxAttempts());
        assertThat(DeadLetters.of(database.dataSource()).list(10))
                .singleElement()
                .satisfies(letter -> {
                    assertThat(letter.aggregateId()).isEqualTo("3");
                    assertThat(letter.lastError())
                            .startsWith("it was published, but could not be marked")
                            .contains("not this one");
                });
    }

    @Test
    void rowWhoseMarkIsDroppedWithoutAWordCostsOnlyItselfItsAttempts() {
        database.execute("create or replace function refuse() returns trigger language plpgsql as $$ begin"
                + " if new.processed_at is not null and new.aggregate_id = '3' then return null; end if;"
                + " return new; end $$;"
                + " create trigger refuse before update on outbox_events for each row execute function refuse()");
        drain(database, publisher, quick().workers(1).retryPolicy(RelayFixture.QUICK_RETRY));

        assertThat(sendings("3")).isEqualTo(RelayFixture.QUICK_RETRY.maxAttempts());
        assertThat(DeadLetters.of(database.dataSource()).list(10))
                .singleElement()
                .satisfies(letter ->
                        assertThat(letter.lastError()).startsWith("it was published, but could not be marked"));
    }

    @Test
    void refusalsOfTheSameBatchAreStillCounted() throws Exception {
        database.execute("create trigger refuse before update on outbox_events for each row execute function refuse()");
        publisher.answer(RelayFixture.refusing("5"));
        BatchResult result =
                RelayFixture.runOnce(database.dataSource(), publisher, quick().retryPolicy(RelayFixture.QUICK_RETRY));
        assertThat(result).isEqualTo(new BatchResult(10, 8, 2, 0, 0));
        assertThat(database.column("select aggregate_id from outbox_events where attempts = 1 order by 1"))
                .containsExactly("3", "5");
    }

    @Test
    void eventsOfTheSameBatchThatWereNotSentAreCountedAsFetched() throws Exception {
        database.execute("create trigger refuse before update on outbox_events for each row execute function refuse()");
        database.insertEvents(10, 10);
        publisher.answer(RelayFixture.refusing("5"));

        assertThat(RelayFixture.runOnce(
                        database.dataSource(), publisher, quick().retryPolicy(RelayFixture.QUICK_RETRY)))
                .isEqualTo(new BatchResult(20, 16, 3, 0, 0));
    }

    @Test
    void whatIsUnknownOfTheSameBatchStaysSo() throws Exception {
        database.execute("create trigger refuse before update on outbox_events for each row execute function refuse()");
        publisher.answer(event -> event.aggregateId().equals("5")
                ? PublishOutcome.unknown("the connection was lost")
                : PublishOutcome.confirmed());

        assertThat(RelayFixture.runOnce(
                        database.dataSource(), publisher, quick().retryPolicy(RelayFixture.QUICK_RETRY)))
                .isEqualTo(new BatchResult(10, 8, 1, 0, 1));
    }

    @Test
    void triggerOfTheApplicationFindsItsTablesOnTheSearchPath() throws Exception {
        database.execute("create table audit (id uuid)");
        database.execute("create function note() returns trigger language plpgsql as $$ begin"
                + " insert into audit values (new.id); return new; end $$");
        database.execute("create trigger note before update on outbox_events for each row execute function note()");
        assertThat(RelayFixture.runOnce(database.dataSource(), publisher, quick())
                        .published())
                .isEqualTo(10);
        assertThat(database.value("select count(*) from audit")).isEqualTo("10");
    }

    @Test
    void rowThatTakesNoChangeAtAllIsNoSilenceOfTheBroker() {
        database.execute("create or replace function refuse() returns trigger language plpgsql as $$ begin"
                + " if new.aggregate_id = '3' then raise 'never this one'; end if; return new; end $$");
        database.execute("create trigger refuse before update on outbox_events for each row execute function refuse()");
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        RelayConfig config = quick().workers(1)
                .observer(RelayMetrics.of(registry, database.dataSource()))
                .build();
        List<String> told = new CopyOnWriteArrayList<>();
        try (Relay relay = Relay.create(database.dataSource(), publisher, config);
                LogRecorder log = new LogRecorder(Level.DEBUG)) {
            relay.onStateChange((state, reason) -> told.add(state + " " + reason));
            relay.start();
            eventually(() -> sendings("3") == 3);
            assertThat(log.fieldsOf("event was not confirmed and will be sent again"))
                    .isEmpty();
        }
        assertThat(told)
                .containsExactly(
                        "STARTING ", "WAITING_FOR_DATABASE the database refuses every change of 1 rows", "STOPPED ");
        assertThat(registry.get("outbox.events.unconfirmed").counter().count()).isZero();
    }

    @Test
    void rowThatTakesNoChangeAtAllDoesNotHaveTheOthersSentAgain() throws Exception {
        database.execute("create function refuse_all() returns trigger language plpgsql as $$ begin"
                + " if new.aggregate_id = '3' then raise 'never this one'; end if; return new; end $$");
        database.execute(
                "create trigger refuse before update on outbox_events for each row execute function refuse_all()");
        RelayConfigBuilder config = quick().retryPolicy(RelayFixture.QUICK_RETRY);
        for (int round = 0; round < 3; round++) {
            assertThat(RelayFixture.runOnce(database.dataSource(), publisher, config)
                            .unknown())
                    .isEqualTo(1);
        }
        assertThat(publisher.sent()).hasSize(9 + 3);
        assertThat(sendings("3")).isEqualTo(3);
        assertThat(database.count("processed_at is null")).isEqualTo(1);
    }

    private long sendings(String aggregateId) {
        return publisher.sent().stream()
                .map(OutboxEvent::aggregateId)
                .filter(aggregateId::equals)
                .count();
    }
}
