package dev.typedoutbox.benchmark.own;

import com.rabbitmq.client.ConnectionFactory;
import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.benchmark.contender.ConsumingContender;
import dev.typedoutbox.benchmark.contender.ContenderMain;
import dev.typedoutbox.benchmark.contender.Settings;
import dev.typedoutbox.consumer.IdempotentConsumer;
import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.rabbit.RabbitConsumer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** Typed Outbox's consumer with its default settings, but for the option {@code batch}. Its handler inserts one row. */
public final class TypedOutboxConsumerMain implements ConsumingContender {
    private static final String BATCH = "batch";

    private final HikariDataSource pool;
    private final Settings settings;
    private final ConnectionFactory rabbit = new ConnectionFactory();

    private CountingConsumer counted;
    private @Nullable RabbitConsumer consumer;

    private TypedOutboxConsumerMain(Settings settings) throws Exception {
        this.settings = settings;
        pool = Pool.open(settings);
        rabbit.setUri(settings.amqpUri());
        counted = counting();
    }

    /**
     * Takes part in the benchmark.
     *
     * @param args none
     */
    public static void main(String[] args) {
        ContenderMain.run(TypedOutboxConsumerMain::new);
    }

    @Override
    public void prepare() throws SQLException {
        OutboxSchema.migrate(pool);
        execute(EFFECTS);
    }

    @Override
    public void empty() throws SQLException {
        execute("truncate effects, processed_events");
    }

    @Override
    public void start() {
        counted = counting();
        RabbitConsumer.Builder builder = RabbitConsumer.builder(rabbit, settings.queue(), counted);
        if (settings.options().containsKey(BATCH)) {
            builder.batchSize(settings.number(BATCH, 1));
        }
        RabbitConsumer started = builder.build();
        started.start();
        consumer = started;
    }

    @Override
    public void stop() {
        RabbitConsumer started = consumer;
        if (started != null) {
            started.close();
        }
        consumer = null;
    }

    @Override
    public long consumed() {
        return counted.done();
    }

    @Override
    public void close() {
        stop();
        pool.close();
    }

    private CountingConsumer counting() {
        return new CountingConsumer(IdempotentConsumer.create(pool, "benchmark", TypedOutboxConsumerMain::insert));
    }

    private static void insert(DSLContext tx, OutboxEvent event) {
        tx.execute("insert into effects (event_id, aggregate_id) values (?, ?)", event.id(), event.aggregateId());
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
