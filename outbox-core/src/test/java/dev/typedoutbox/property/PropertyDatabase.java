package dev.typedoutbox.property;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.support.OutboxDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jooq.DSLContext;

/** The database, the connections and the threads that all runs share, one after the other. */
final class PropertyDatabase implements AutoCloseable {
    static final int AGGREGATES = 4;
    static final int WRITERS = 3;
    static final int RELAYS = 4;

    private final OutboxDatabase database = OutboxDatabase.create();
    private final HikariDataSource everyone = pool("everyone", 2);
    private final List<HikariDataSource> relays = IntStream.range(0, RELAYS)
            .mapToObj(relay -> pool(relayName(relay), 1))
            .toList();
    private final List<Connection> writers = new ArrayList<>();
    private final Connection stranger;
    private final List<String> aggregates = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    PropertyDatabase() throws SQLException {
        for (int writer = 0; writer < WRITERS; writer++) {
            writers.add(transactional());
        }
        this.stranger = transactional();
        nameAggregates();
        database.execute("create table aggregates (id text primary key)");
        aggregates.forEach(id -> database.execute("insert into aggregates values ('" + id + "')"));
    }

    /** Two of the aggregates share a slot: among more names than slots, some do. */
    private void nameAggregates() {
        database.insertEvents(100, 100);
        List<String> neighbours = database.column("select unnest((array_agg(aggregate_id))[:2]) from outbox_events"
                + " group by slot having count(*) > 1 limit 2");
        aggregates.addAll(neighbours);
        for (int i = neighbours.size(); i < AGGREGATES; i++) {
            aggregates.add("other-" + i);
        }
    }

    /** Begins a run with an empty outbox. */
    void reset() throws SQLException {
        for (Connection writer : writers) {
            writer.rollback();
        }
        stranger.rollback();
        database.empty();
    }

    List<String> aggregates() {
        return aggregates;
    }

    List<Connection> writers() {
        return writers;
    }

    Connection stranger() {
        return stranger;
    }

    DataSource relay(int relay) {
        return relays.get(relay);
    }

    DataSource dataSource() {
        return everyone;
    }

    DSLContext dsl() {
        return OutboxDatabase.quiet(everyone);
    }

    ExecutorService threads() {
        return threads;
    }

    void endSession(int relay) {
        dsl().execute("select pg_terminate_backend(pid, 5000) from pg_stat_activity"
                + " where datname = current_database() and application_name = '" + relayName(relay) + "'");
    }

    @Override
    public void close() throws SQLException {
        threads.shutdownNow();
        for (Connection writer : writers) {
            writer.close();
        }
        stranger.close();
        relays.forEach(HikariDataSource::close);
        everyone.close();
    }

    private Connection transactional() throws SQLException {
        Connection connection = database.dataSource().getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    private static String relayName(int relay) {
        return "relay " + relay;
    }

    private HikariDataSource pool(String name, int size) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setConnectionInitSql("set application_name = '" + name + "'");
        config.setMaximumPoolSize(size);
        return new HikariDataSource(config);
    }
}
