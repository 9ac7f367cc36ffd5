package dev.typedoutbox.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.support.OutboxDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the status tells of rows and locks. */
@Timeout(60)
class OutboxStatusTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();

    private final OutboxStatus status = OutboxStatus.of(DATABASE.dataSource());

    @BeforeEach
    void empty() {
        DATABASE.empty();
    }

    @Test
    void emptyOutboxHasNothingToTell() {
        StatusReport report = status.read();

        assertThat(report.pending()).isEqualTo(new BoundedCount(0, true));
        assertThat(report.oldestPendingAge()).isNull();
        assertThat(report.deadLetters()).isEqualTo(new BoundedCount(0, true));
        assertThat(report.oldestDeadLetterAge()).isNull();
        assertThat(report.slotsBusy()).isZero();
        assertThat(report.relays()).isEmpty();
        assertThat(report.notificationQueueUsage()).isBetween(0.0, 1.0);
    }

    @Test
    void pendingWaitingAndDeadEventsAreCountedWithTheAgeOfTheOldest() {
        DATABASE.insertEvents(6, 6);
        DATABASE.execute("update outbox_events set created_at = now() - interval '1 hour' * (7 - seq)");
        DATABASE.execute("update outbox_events set processed_at = now() where seq = 6");
        DATABASE.execute("update outbox_events set dead_at = now() - interval '5 minutes' where seq = 4");
        DATABASE.execute("update outbox_events set dead_at = now() - interval '7 minutes' where seq = 5");
        DATABASE.execute("update outbox_events set retry_after = now() + interval '1 day' where seq = 3");

        StatusReport report = status.read();

        assertThat(report.pending()).isEqualTo(new BoundedCount(3, true));
        assertThat(report.oldestPendingAge()).isBetween(Duration.ofHours(6), Duration.ofMinutes(361));
        assertThat(report.deadLetters()).isEqualTo(new BoundedCount(2, true));
        assertThat(report.oldestDeadLetterAge()).isBetween(Duration.ofMinutes(5), Duration.ofMinutes(6));
    }

    @Test
    void eventFromTheFutureHasNoAge() {
        DATABASE.insertEvents(1, 1);
        DATABASE.execute("update outbox_events set created_at = now() + interval '1 day'");

        assertThat(status.read().oldestPendingAge()).isEqualTo(Duration.ZERO);
    }

    @Test
    void onlySlotsOfThisOutboxThatAreLockedByABatchAreBusy() throws SQLException {
        String oid = DATABASE.value("select 'outbox_events'::regclass::oid::int");
        try (Connection worker = DATABASE.dataSource().getConnection();
                Statement statement = worker.createStatement()) {
            for (String keys :
                    new String[] {oid + ", 0", oid + ", 63", oid + ", 64", oid + ", 65", oid + ", 66", "1, 5", "5"}) {
                statement.execute("select pg_advisory_lock(" + keys + ")");
            }
            statement.execute("select pg_advisory_lock_shared(" + oid + ", 7)");

            assertThat(status.read().slotsBusy()).isEqualTo(2);
        }
    }

    @Test
    void pendingEventsAreCountedByTypeTheMostFirst() {
        DATABASE.insertEvents(3, 1);
        DATABASE.publish("1", "order.paid");
        DATABASE.publish("1", "order.paid");
        DATABASE.publish("1", "order.shipped");
        DATABASE.execute("update outbox_events set processed_at = now() where seq = 1");

        assertThat(status.pendingByType(10))
                .containsExactly(
                        new TypeCount("order.changed", 2),
                        new TypeCount("order.paid", 2),
                        new TypeCount("order.shipped", 1));
        assertThat(status.pendingByType(1)).containsExactly(new TypeCount("order.changed", 2));
        assertThatThrownBy(() -> status.pendingByType(0)).hasMessage("limit must be at least 1 (was 0)");
    }

    @Test
    void outboxInASchemaOfAnotherNameIsRead() {
        OutboxSchema.migrate(DATABASE.dataSource(), "Other Outbox");
        DATABASE.execute(
                "insert into \"Other Outbox\".outbox_events (aggregate_type, aggregate_id, event_type, payload)"
                        + " values ('order', '1', 'order.paid', '1')");

        assertThat(OutboxStatus.of(DATABASE.dataSource(), "Other Outbox").read().pending())
                .hasToString("1");
        assertThat(status.read().pending()).hasToString("0");
    }

    @Test
    void connectionOfAPoolIsLeftAsItWas() throws SQLException {
        try (HikariDataSource pool = DATABASE.pool(true)) {
            pool.setMaximumPoolSize(1);
            OutboxStatus.of(pool).read();
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                assertThat(connection.getAutoCommit()).isTrue();
                assertThat(connection.getNetworkTimeout()).isZero();
                statement.execute("create table written (id int)");
                statement.execute("drop table written");
            }
        }
    }

    @Test
    void roleThatMayOnlySelectIsEnough() {
        DATABASE.insertEvents(1, 1);

        OutboxStatus ofRole = OutboxStatus.of(DATABASE.asRoleThatMay("select on outbox_events"));

        assertThat(ofRole.read().pending()).hasToString("1");
    }

    @Test
    void tableThatIsLockedIsToldInTime() throws SQLException {
        try (Connection foreign = DATABASE.dataSource().getConnection();
                Statement statement = foreign.createStatement()) {
            foreign.setAutoCommit(false);
            statement.execute("lock table outbox_events in access exclusive mode");
            long began = System.nanoTime();

            assertThatThrownBy(status::read)
                    .isInstanceOf(DataAccessException.class)
                    .hasMessageStartingWith("the outbox's status could not be read: ");

            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
        }
    }

    @Test
    void databaseWithoutAnOutboxIsToldSo() {
        OutboxStatus elsewhere = OutboxStatus.of(DATABASE.dataSource(), "nowhere");

        assertThatThrownBy(elsewhere::read)
                .isInstanceOf(DataAccessException.class)
                .hasMessageContaining("nowhere")
                .hasMessageContaining("does not exist");
    }
}
