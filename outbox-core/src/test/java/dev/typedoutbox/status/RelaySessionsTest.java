package dev.typedoutbox.status;

import static dev.typedoutbox.relay.RelayFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import dev.typedoutbox.relay.RelayConfigBuilder;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Relays that listen are found in the database by their names. */
@Timeout(60)
class RelaySessionsTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();

    private final OutboxStatus status = OutboxStatus.of(DATABASE.dataSource());
    private HikariDataSource pool;

    @BeforeEach
    void begin() {
        pool = DATABASE.pool(true);
    }

    @AfterEach
    void end() {
        pool.close();
    }

    @Test
    void relayIsListedWhileItListensAndOneOfThoseThatSleepHasTheGate() {
        try (Relay first = relay("orders-1")) {
            eventually(() -> names().equals(Set.of("orders-1")));
            try (Relay second = relay("orders-2")) {
                eventually(() -> names().equals(Set.of("orders-1", "orders-2")));
                eventually(() -> asleep(status) == 1);
            }
            eventually(() -> names().equals(Set.of("orders-1")));
            eventually(() -> asleep(status) == 1);
            RelaySession session = status.read().relays().get(0);
            assertThat(session.since())
                    .isBetween(
                            status.read().readAt().minus(Duration.ofMinutes(1)),
                            status.read().readAt());
            assertThat(DATABASE.value("select application_name from pg_stat_activity where pid = " + session.pid()))
                    .isEqualTo("typed-outbox-relay orders-1");
            assertThat(session.clientAddress()).isNotBlank();
        }
        eventually(() -> names().isEmpty());
    }

    @Test
    void relaysOfAnotherOutboxInTheDatabaseAreNotListed() {
        OutboxSchema.migrate(DATABASE.dataSource(), "Other Outbox");
        OutboxStatus other = OutboxStatus.of(DATABASE.dataSource(), "Other Outbox");
        RelayConfigBuilder elsewhere = RelayConfig.builder().schema("Other Outbox");
        try (Relay ours = relay("ours");
                Relay theirs = relay(elsewhere, "theirs")) {
            eventually(
                    () -> names(status).equals(Set.of("ours")) && names(other).equals(Set.of("theirs")));
            eventually(() -> asleep(status) == 1 && asleep(other) == 1);
        }
    }

    @Test
    void nameThatTheDatabaseHasNoRoomForIsCutInTheMiddle() {
        try (Relay relay = relay("orders-relay-in-the-cluster-überall-7c9d8b6f5-x2x7k")) {
            eventually(() -> names().equals(Set.of("orders-relay-in-the-cl~erall-7c9d8b6f5-x2x7k")));
            assertThat(relay.name()).hasSize(51);
        }
    }

    @Test
    void nameIsSpeltInAscii() {
        try (Relay relay = relay("größe")) {
            eventually(() -> names().equals(Set.of("gr??e")));
        }
    }

    @Test
    void roleThatMaySeeLittleOfOtherSessionsSeesTheirNames() {
        OutboxStatus ofStranger = OutboxStatus.of(DATABASE.asRoleThatMay("select on outbox_events"));
        try (Relay relay = relay("orders-1")) {
            eventually(() -> names().equals(Set.of("orders-1")));

            StatusReport report = ofStranger.read();

            assertThat(report.relays()).singleElement().satisfies(session -> {
                assertThat(session.name()).isEqualTo("orders-1");
                assertThat(session.clientAddress()).isNull();
                assertThat(session.since()).isEqualTo(report.readAt());
            });
        }
    }

    private Relay relay(String name) {
        return relay(RelayConfig.builder(), name);
    }

    private Relay relay(RelayConfigBuilder builder, String name) {
        RelayConfig config = builder.name(name).listenOn(DATABASE.dataSource()).build();
        Relay relay = Relay.create(pool, new InMemoryPublisher(), config);
        relay.start();
        return relay;
    }

    private Set<String> names() {
        return names(status);
    }

    private static Set<String> names(OutboxStatus status) {
        return status.read().relays().stream().map(RelaySession::name).collect(Collectors.toSet());
    }

    private static long asleep(OutboxStatus status) {
        return status.read().relays().stream().filter(RelaySession::isAsleep).count();
    }
}
