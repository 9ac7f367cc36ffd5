package dev.typedoutbox.benchmark.own;

import com.rabbitmq.client.ConnectionFactory;
import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.benchmark.contender.Backlog;
import dev.typedoutbox.benchmark.contender.Contender;
import dev.typedoutbox.benchmark.contender.ContenderMain;
import dev.typedoutbox.benchmark.contender.Event;
import dev.typedoutbox.benchmark.contender.Settings;
import dev.typedoutbox.benchmark.contender.StatementCounter;
import dev.typedoutbox.cleanup.Cleanup;
import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.rabbit.RabbitPublisher;
import dev.typedoutbox.rabbit.Routing;
import dev.typedoutbox.relay.PublishedRows;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Typed Outbox with its default settings, but for the options {@code workers}, {@code ordered} and {@code batch}. With
 * {@code delete=true} it deletes what it has published instead of marking it; with {@code purge=true} rows that were
 * published long ago are deleted while it works; with {@code statements=true} the statements of the relay are counted.
 */
public final class TypedOutboxMain implements Contender {
    private final HikariDataSource pool;
    private final RabbitPublisher publisher;
    private final RelayConfig config;
    private final boolean counting;
    private final StatementCounter statements = new StatementCounter();
    private final Outbox outbox = Outbox.create();

    private final @Nullable Cleanup cleanup;

    private @Nullable Relay relay;

    private TypedOutboxMain(Settings settings) throws Exception {
        pool = Pool.open(settings);
        ConnectionFactory rabbit = new ConnectionFactory();
        rabbit.setUri(settings.amqpUri());
        publisher = RabbitPublisher.create(rabbit, Routing.toExchange(settings.exchange()));
        config = RelayConfig.builder()
                .workers(settings.number("workers", RelayConfig.DEFAULT_WORKERS))
                .batchSize(settings.number("batch", RelayConfig.DEFAULT_BATCH_SIZE))
                .ordered(settings.flag("ordered", true))
                .publishedRows(settings.flag("delete", false) ? PublishedRows.DELETE : PublishedRows.KEEP)
                .listenOn(Pool.unpooled(settings))
                .build();
        counting = settings.flag("statements", false);
        cleanup = settings.flag("purge", false)
                ? Cleanup.builder(pool).withoutProcessedEvents().build()
                : null;
    }

    /**
     * Takes part in the benchmark.
     *
     * @param args none
     */
    public static void main(String[] args) {
        ContenderMain.run(TypedOutboxMain::new);
    }

    @Override
    public void prepare() {
        OutboxSchema.migrate(pool);
    }

    @Override
    public void fill(Backlog backlog) throws Exception {
        TimeOrderedId ids = new TimeOrderedId();
        new CopyIn(pool)
                .replace(
                        "outbox_events",
                        "id, aggregate_type, aggregate_id, event_type, payload",
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
    public void start() {
        statements.reset();
        DataSource dataSource = counting ? statements.count(pool) : pool;
        Relay started = Relay.create(dataSource, publisher, config);
        started.start();
        relay = started;
        if (cleanup != null) {
            cleanup.start();
        }
    }

    @Override
    public void stop() {
        if (cleanup != null) {
            cleanup.close();
        }
        Relay started = relay;
        if (started != null) {
            started.close();
        }
        relay = null;
    }

    @Override
    public void write(List<Event> events) throws Exception {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            outbox.publishAll(
                    connection,
                    events.stream()
                            .map(event -> NewEvent.ofJson(
                                    event.aggregateType(), event.aggregateId(), event.type(), event.payload()))
                            .toList());
            connection.commit();
        }
    }

    @Override
    public Map<String, String> stats() {
        return counting ? Map.of("statements", Long.toString(statements.count())) : Map.of();
    }

    @Override
    public void close() {
        stop();
        publisher.close();
        pool.close();
    }
}
