package dev.typedoutbox.relay;

import static dev.typedoutbox.relay.RelayFixture.always;
import static dev.typedoutbox.relay.RelayFixture.eventually;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.servers.PostgresServer;
import dev.typedoutbox.store.LowestFloor;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A transaction that is prepared belongs to no session any more, and may still commit its number. */
class FloorAndPreparedTransactionsTest {
    private static final String INSERT =
            "insert into outbox_events (aggregate_type, aggregate_id, event_type, payload) values ('order', '%s', 'e', '1')";

    private final InMemoryPublisher publisher = new InMemoryPublisher();
    private final RelayConfig config = quick().build();
    private final Floor floor = new Floor(config);

    @Test
    void transactionThatIsPreparedWhileTheFloorWaitsForItIsNotPassed() throws Exception {
        try (PostgresServer server = PostgresServer.startFromBinaries(Map.of("max_prepared_transactions", "5"))) {
            OutboxDatabase database = OutboxDatabase.createOn(server);
            try (HikariDataSource pool = database.pool(true)) {
                pool.setMaximumPoolSize(1);
                try (Connection writer = database.dataSource().getConnection();
                        Statement statement = writer.createStatement()) {
                    writer.setAutoCommit(false);
                    statement.execute(INSERT.formatted("prepared"));
                    database.execute(INSERT.formatted("other"));
                    always(() -> lowest(pool) <= 1);
                    statement.execute("prepare transaction 'first'");
                    writer.setAutoCommit(true);
                }
                database.execute(INSERT.formatted("other"));
                always(() -> lowest(pool) <= 1);

                database.execute("commit prepared 'first'");
                eventually(() -> lowest(pool) == 4);
            }
        }
        assertThat(publisher.sent()).extracting(OutboxEvent::seq).containsExactly(2L, 3L, 1L);
    }

    /** Publishes a batch if there is one, and tells the lowest number that the next would look at. */
    private long lowest(HikariDataSource pool) throws Exception {
        new BatchRunner(pool, config, Queries.of(config), floor, new Observers(List.of())).run(publisher.open());
        try (Connection connection = pool.getConnection()) {
            return new RelayTransaction(Queries.of(config))
                    .run(connection, (tx, session) -> LowestFloor.of(tx, floor.in(session)));
        }
    }
}
