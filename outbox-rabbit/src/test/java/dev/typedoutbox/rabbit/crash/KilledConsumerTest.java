package dev.typedoutbox.rabbit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.rabbit.RabbitPublisher;
import dev.typedoutbox.rabbit.Routing;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.rabbit.support.Events;
import dev.typedoutbox.rabbit.support.Ledger;
import dev.typedoutbox.rabbit.support.OutboxDatabase;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.PublisherSession;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A consumer that ends with SIGKILL again and again, and each time another goes on in its place. */
class KilledConsumerTest {
    private static final int AGGREGATES = 100;
    private static final int WAVE = 200;
    /** Of each wave so many come twice. */
    private static final int TWICE = WAVE * 30 / 100;

    private static final Duration CONFIRMED = Duration.ofSeconds(10);
    private static final Duration PROGRESS = Duration.ofSeconds(30);
    private static final Duration DRAINED = Duration.ofMinutes(3);
    /** So short that a kill finds the consumer soon after the row that it waited for. */
    private static final Duration GLANCE = Duration.ofMillis(5);

    private final Broker broker = Broker.shared();
    private final String exchange = broker.exchange();
    private final String deadLetterExchange = broker.exchange();
    private final String deadLetters = broker.queue(deadLetterExchange, "#");
    private final String queue = broker.safeQueue(exchange, "#", deadLetterExchange);

    @Test
    void eventsOfAConsumerKilledTenTimesAreAppliedOnceAndInOrder() {
        killAndGoOn(10, 20_000);
    }

    @Test
    @Tag("thorough")
    void aLargeBacklogOfAConsumerKilledTenTimesIsAppliedOnceAndInOrder() {
        killAndGoOn(10, 100_000);
    }

    private void killAndGoOn(int kills, int number) {
        List<OutboxEvent> events = Events.many(number, AGGREGATES, "order.changed");
        publish(events);
        try (OutboxDatabase database = OutboxDatabase.create()) {
            database.execute("create table effects (position bigint generated always as identity,"
                    + " event_id uuid, aggregate_id text, seq bigint)");
            int[] moments =
                    new Random(kills).ints(kills, 0, number * 3 / 4).sorted().toArray();
            for (int moment : moments) {
                killAfter(moment, database);
                assertThat(effects(database)).as("effects when it was killed").isLessThan(number);
            }
            consumeAll(events.get(number - 1).id(), database);
            requireEachOnce(events, database);
        }
        assertThat(broker.take(queue)).isEmpty();
        assertThat(broker.take(deadLetters)).isEmpty();
    }

    /** After so many rows, and after the first that is the consumer's own. */
    private void killAfter(int rows, OutboxDatabase database) {
        long seen = Math.max(rows, effects(database));
        try (ChildJvm consumer = consumer(database)) {
            await().pollInterval(GLANCE).atMost(PROGRESS).until(() -> effects(database) > seen);
            consumer.kill();
        }
    }

    /** When the last in the queue is done, all before it are. */
    private void consumeAll(UUID last, OutboxDatabase database) {
        try (ChildJvm consumer = consumer(database)) {
            await().atMost(DRAINED).until(() -> database.count("effects where event_id = '" + last + "'") > 0);
            consumer.end();
        }
    }

    private static void requireEachOnce(List<OutboxEvent> events, OutboxDatabase database) {
        List<UUID> ids = events.stream().map(OutboxEvent::id).toList();
        Ledger effects = database.inTransaction(KilledConsumerTest::ledger);
        assertThat(effects.duplicates()).as("second effects").isZero();
        assertThat(effects.lost(ids)).as("lost").isEmpty();
        assertThat(effects.phantoms(ids)).as("never published").isEmpty();
        assertThat(effects.orderViolations()).as("out of order").isZero();
    }

    private static Ledger ledger(Connection tx) throws SQLException {
        Ledger ledger = new Ledger();
        try (Statement statement = tx.createStatement();
                ResultSet rows =
                        statement.executeQuery("select event_id, aggregate_id, seq from effects order by position")) {
            while (rows.next()) {
                ledger.add(OutboxEvent.builder(rows.getObject(1, UUID.class))
                        .aggregate("order", rows.getString(2), rows.getLong(3))
                        .build());
            }
        }
        return ledger;
    }

    /** The last event comes alone and once. */
    private void publish(List<OutboxEvent> events) {
        int last = events.size() - 1;
        try (RabbitPublisher publisher = RabbitPublisher.create(broker.factory(), Routing.toExchange(exchange));
                PublisherSession session = publisher.open()) {
            for (int from = 0; from < last; from += WAVE) {
                List<OutboxEvent> wave = events.subList(from, Math.min(from + WAVE, last));
                publish(session, wave);
                publish(session, wave.subList(0, TWICE));
            }
            publish(session, events.subList(last, events.size()));
        }
    }

    private static void publish(PublisherSession session, List<OutboxEvent> events) {
        assertThat(session.publish(events, CONFIRMED)).containsOnly(PublishOutcome.confirmed());
    }

    private static long effects(OutboxDatabase database) {
        return database.count("effects");
    }

    private ChildJvm consumer(OutboxDatabase database) {
        return new ChildJvm(
                ConsumerMain.class,
                List.of(
                        database.database().jdbcUrl(),
                        database.database().user(),
                        database.database().password(),
                        broker.server().uri().toString(),
                        queue));
    }
}
