package dev.typedoutbox.migratein;

import static dev.typedoutbox.relay.RelayFixture.quick;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each event of a service that writes without a pause is sent once and in its order, on the way in and on the way back. */
class RunningServiceTest {
    private static final int ROWS = 20_000;
    private static final int FEW_ROWS = 2_000;
    private static final String PENDING = " where processed_at is null order by created_at";

    private final InMemoryPublisher broker = new InMemoryPublisher();

    @ParameterizedTest
    @EnumSource
    void migratesIn(Place place) {
        migrateIn(place, ROWS);
    }

    @Test
    @Tag("thorough")
    void migratesInWithAMillionRows() {
        migrateIn(Place.SAME_NAME, 1_000_000);
    }

    private void migrateIn(Place place, int rows) {
        PlainOutbox plain = new PlainOutbox(place);
        plain.fill(rows);
        PlainWriters writers = plain.startWriters();
        try (writers) {
            writers.awaitMore();
            int before = writers.written();
            plain.migrateIn(Map.of());
            assertThat(writers.written()).isGreaterThan(before);
            writers.awaitMore();
            relayWhile(plain, writers::awaitMore);
        }
        relayWhile(plain, () -> awaitNothingPending(plain));

        assertSentOnceAndInOrder(rows / 2 + writers.written());
        assertThat(plain.value("select count(*) from " + place.asideInSql())).isEqualTo(String.valueOf(rows / 2));
    }

    @ParameterizedTest
    @EnumSource
    void rollsBackAndMigratesInAgain(Place place) {
        PlainOutbox plain = new PlainOutbox(place);
        plain.fill(FEW_ROWS);
        PlainWriters writers = plain.startWriters();
        try (writers) {
            plain.migrateIn(Map.of());
            relayWhile(plain, writers::awaitMore);
            writers.awaitMore();
            plain.rollBack();
            writers.awaitMore();
        }
        Set<String> sent = new HashSet<>();
        broker.sent().forEach(event -> sent.add(event.id().toString()));
        List<String> left = plain.column("select id from " + place.inSql() + PENDING);
        assertThat(left).doesNotContainAnyElementsOf(sent).hasSize(FEW_ROWS / 2 + writers.written() - sent.size());

        plain.migrateIn(Map.of());
        relayWhile(plain, () -> awaitNothingPending(plain));

        assertSentOnceAndInOrder(FEW_ROWS / 2 + writers.written());
    }

    private void relayWhile(PlainOutbox plain, Runnable action) {
        try (Relay relay = Relay.create(plain.dataSource(), broker, quick().build())) {
            relay.start();
            action.run();
        }
    }

    private static void awaitNothingPending(PlainOutbox plain) {
        await().atMost(Duration.ofMinutes(8))
                .pollInterval(Duration.ofMillis(200))
                .until(() -> plain.value("select exists (select from outbox_events"
                                + " where processed_at is null and dead_at is null)")
                        .equals("false"));
    }

    private void assertSentOnceAndInOrder(int events) {
        List<OutboxEvent> sent = broker.sent();
        Set<UUID> ids = new HashSet<>();
        Map<String, Integer> last = new HashMap<>();
        for (OutboxEvent event : sent) {
            int number = Integer.parseInt(event.payloadAsText());
            Integer before = last.put(event.aggregateId(), number);
            assertThat(before == null ? 0 : before).as(event.aggregateId()).isLessThan(number);
            ids.add(event.id());
        }
        assertThat(sent).hasSize(events);
        assertThat(ids).hasSize(events);
    }
}
