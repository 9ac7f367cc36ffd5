package dev.typedoutbox.benchmark.peers.debezium;

import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.benchmark.contender.Backlog;
import dev.typedoutbox.benchmark.contender.Contender;
import dev.typedoutbox.benchmark.contender.ContenderMain;
import dev.typedoutbox.benchmark.contender.Event;
import dev.typedoutbox.benchmark.contender.Settings;
import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/**
 * Debezium's embedded engine: reads the write-ahead log, and no table is ever updated. The engine is started anew each time,
 * which takes it a second or two.
 */
public final class DebeziumContender implements Contender {
    private static final int CONNECTIONS_FOR_OTHERS = 10;

    private final Settings settings;
    private final HikariDataSource dataSource = new HikariDataSource();
    private final URI database;
    private final Outbox outbox;
    private final String slot;
    private final Path offsets;

    private boolean ownsSlot;
    private @Nullable BatchPublisher publisher;
    private @Nullable DebeziumEngine<RecordChangeEvent<SourceRecord>> engine;
    private @Nullable ExecutorService thread;

    private DebeziumContender(Settings settings) throws IOException {
        this.settings = settings;
        dataSource.setJdbcUrl(settings.jdbcUrl());
        dataSource.setUsername(settings.jdbcUser());
        dataSource.setPassword(settings.jdbcPassword());
        dataSource.setMaximumPoolSize(CONNECTIONS_FOR_OTHERS);
        database = URI.create(settings.jdbcUrl().substring("jdbc:".length()));
        // Slots belong to the whole server.
        slot = "debezium_" + databaseName();
        outbox = new Outbox(dataSource, slot);
        offsets = Files.createTempFile("debezium", ".offsets");
    }

    /**
     * Runs the contender.
     *
     * @param args none
     */
    public static void main(String[] args) {
        ContenderMain.run(DebeziumContender::new);
    }

    private String databaseName() {
        return database.getPath().substring(1);
    }

    private Properties properties() {
        Properties properties = new Properties();
        properties.putAll(Map.of(
                "name", "outbox",
                "connector.class", "io.debezium.connector.postgresql.PostgresConnector",
                "offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore",
                "offset.storage.file.filename", offsets.toString(),
                "offset.flush.interval.ms", settings.options().getOrDefault("flush", "1000")));
        properties.putAll(Map.of(
                "database.hostname", database.getHost(),
                "database.port", Integer.toString(database.getPort() < 0 ? 5432 : database.getPort()),
                "database.dbname", databaseName(),
                "database.user", settings.jdbcUser(),
                "database.password", settings.jdbcPassword(),
                "plugin.name", "pgoutput",
                "slot.name", slot,
                "publication.name", Outbox.PUBLICATION,
                "publication.autocreate.mode", "disabled"));
        properties.putAll(Map.of(
                "topic.prefix", "benchmark",
                "table.include.list", "public.outbox",
                "snapshot.mode", "no_data",
                "tombstones.on.delete", "false",
                "poll.interval.ms", settings.options().getOrDefault("poll", "10"),
                "max.batch.size", settings.options().getOrDefault("batch", "4096"),
                "max.queue.size", settings.options().getOrDefault("queue", "16384")));
        properties.putAll(Map.of(
                "transforms", "outbox",
                "transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter",
                "transforms.outbox.route.by.field", "type",
                "transforms.outbox.route.topic.replacement", "${routedByValue}"));
        if (settings.options().containsKey("record-threads")) {
            properties.put("record.processing.threads", settings.options().get("record-threads"));
        }
        return properties;
    }

    @Override
    public void prepare() throws SQLException {
        outbox.create();
        ownsSlot = true;
    }

    @Override
    public void fill(Backlog backlog) throws Exception {
        outbox.empty();
        Files.deleteIfExists(offsets);
        outbox.fill(backlog);
    }

    @Override
    public void start() throws Exception {
        BatchPublisher connected = BatchPublisher.connect(settings.amqpUri(), settings.exchange());
        CountDownLatch polling = new CountDownLatch(1);
        DebeziumEngine<RecordChangeEvent<SourceRecord>> created = DebeziumEngine.create(
                        ChangeEventFormat.of(Connect.class))
                .using(properties())
                .using(new DebeziumEngine.ConnectorCallback() {
                    @Override
                    public void pollingStarted() {
                        polling.countDown();
                    }
                })
                .notifying(connected)
                .build();
        ExecutorService started = Executors.newSingleThreadExecutor();
        started.execute(created);
        publisher = connected;
        engine = created;
        thread = started;
        if (!polling.await(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("engine must poll within 60 s");
        }
    }

    @Override
    public void stop() throws Exception {
        if (engine != null && thread != null && publisher != null) {
            engine.close();
            thread.shutdown();
            if (!thread.awaitTermination(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("engine must end within 60 s");
            }
            publisher.close();
        }
    }

    @Override
    public void write(List<Event> events) throws SQLException {
        outbox.insert(events);
    }

    @Override
    public void close() throws Exception {
        // A process that only writes must leave the slot to the one that reads.
        if (ownsSlot) {
            outbox.dropSlot();
        }
        dataSource.close();
        Files.deleteIfExists(offsets);
    }
}
