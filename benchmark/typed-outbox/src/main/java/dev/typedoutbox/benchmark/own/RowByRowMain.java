package dev.typedoutbox.benchmark.own;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConnectionFactory;
import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.benchmark.contender.Backlog;
import dev.typedoutbox.benchmark.contender.Contender;
import dev.typedoutbox.benchmark.contender.ContenderMain;
import dev.typedoutbox.benchmark.contender.Event;
import dev.typedoutbox.benchmark.contender.Settings;
import dev.typedoutbox.benchmark.contender.StatementCounter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The relay that articles show, on their table: one thread, and for each row a confirmed publish and an UPDATE. */
public final class RowByRowMain implements Contender {
    private static final String TABLE = """
            create table outbox (
              id             uuid primary key default gen_random_uuid(),
              seq            bigint generated always as identity,
              aggregate_type varchar(100) not null,
              aggregate_id   varchar(100) not null,
              event_type     varchar(100) not null,
              payload        jsonb not null,
              created_at     timestamptz not null default now(),
              processed_at   timestamptz
            );
            create index outbox_unprocessed on outbox (seq) where processed_at is null
            """;
    private static final String COLUMNS = "id, aggregate_type, aggregate_id, event_type, payload";
    private static final String INSERT = "insert into outbox (" + COLUMNS + ") values (?, ?, ?, ?, ?::jsonb)";

    private final HikariDataSource pool;
    private final com.rabbitmq.client.Connection broker;
    private final String exchange;
    private final boolean counting;
    private final StatementCounter statements = new StatementCounter();

    private @Nullable RowByRow relay;

    private RowByRowMain(Settings settings) throws Exception {
        pool = Pool.open(settings);
        ConnectionFactory rabbit = new ConnectionFactory();
        rabbit.setUri(settings.amqpUri());
        broker = rabbit.newConnection("row-by-row");
        exchange = settings.exchange();
        counting = settings.flag("statements", false);
    }

    /**
     * Takes part in the benchmark.
     *
     * @param args none
     */
    public static void main(String[] args) {
        ContenderMain.run(RowByRowMain::new);
    }

    @Override
    public void prepare() throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(TABLE);
        }
    }

    @Override
    public void fill(Backlog backlog) throws Exception {
        TimeOrderedId ids = new TimeOrderedId();
        new CopyIn(pool)
                .replace(
                        "outbox",
                        COLUMNS,
                        backlog.stream(),
                        event -> String.join(
                                "\t",
                                ids.next().toString(),
                                event.aggregateType(),
                                event.aggregateId(),
                                event.type(),
                                event.payload()));
    }

    @Override
    public void start() throws Exception {
        statements.reset();
        DataSource dataSource = counting ? statements.count(pool) : pool;
        Channel channel = broker.createChannel();
        channel.confirmSelect();
        RowByRow started = new RowByRow(dataSource, channel, exchange);
        started.start();
        relay = started;
    }

    @Override
    public void stop() throws Exception {
        RowByRow started = relay;
        if (started != null) {
            started.stop();
        }
        relay = null;
    }

    @Override
    public void write(List<Event> events) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement insert = connection.prepareStatement(INSERT)) {
            connection.setAutoCommit(false);
            for (Event event : events) {
                insert.setObject(1, UUID.randomUUID());
                insert.setString(2, event.aggregateType());
                insert.setString(3, event.aggregateId());
                insert.setString(4, event.type());
                insert.setString(5, event.payload());
                insert.addBatch();
            }
            insert.executeBatch();
            connection.commit();
        }
    }

    @Override
    public Map<String, String> stats() {
        return counting ? Map.of("statements", Long.toString(statements.count())) : Map.of();
    }

    @Override
    public void close() throws Exception {
        stop();
        broker.close();
        pool.close();
    }
}
