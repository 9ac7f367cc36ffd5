package dev.typedoutbox.standalone;

import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.rabbit.RabbitPublisher;
import dev.typedoutbox.rabbit.Routing;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A relay with all that runs beside it in its process: health, metrics, cleanup and the admin page. */
final class RelayProcess implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RelayProcess.class);

    private final Settings settings;
    private final RelaySettings relaySettings;
    private final DatabaseAccess database;
    private final BrokerAccess broker;
    private final Closing open = new Closing();

    private RelayProcess(Settings settings, DatabaseAccess database, BrokerAccess broker) {
        this.settings = settings;
        this.relaySettings = new RelaySettings(settings);
        this.database = database;
        this.broker = broker;
    }

    /** What is wrong with the settings shows here, before anything is started. */
    static RelayProcess of(Settings settings) {
        RelayProcess process = new RelayProcess(settings, DatabaseAccess.of(settings), BrokerAccess.of(settings));
        settings.text(Setting.EXCHANGE);
        process.relaySettings.check();
        AdminPage.check(settings, process.database.forListening());
        HealthServer.check(settings);
        return process;
    }

    /** Returns when all is started; the servers need not be there. */
    void start(StopSignal signal) throws InterruptedException {
        tellStart();
        RabbitPublisher publisher =
                open.add(RabbitPublisher.create(broker.factory(), Routing.toExchange(settings.text(Setting.EXCHANGE))));
        connectAhead(publisher);
        HikariDataSource pool = open.add(database.pool(relaySettings.connections(), settings.whole(Setting.WORKERS)));
        DataSource dataSource = ExplainedDataSource.of(pool, database.toString());
        WarmUp.await();
        List<RelayObserver> observers = new ArrayList<>();
        Optional<Metrics> metrics = metrics(dataSource, pool);
        metrics.ifPresent(it -> observers.add(it.observer()));
        Optional<AdminPage> admin = AdminPage.of(settings, dataSource);
        admin.ifPresent(page -> observers.add(page.observer()));

        Health health = new Health();
        metrics.ifPresent(it -> open.add(HealthServer.start(settings, health, it)));
        if (settings.flag(Setting.MIGRATE)) {
            new FirstMigration(database, settings.text(Setting.SCHEMA), health).run(signal);
        }
        if (!signal.isReceived()) {
            startRelay(dataSource, publisher, observers, health);
            admin.ifPresent(page -> open.add(page).start());
        }
    }

    /** A relay asks the database for its tables before it opens a channel. The connection is there by then. */
    private static void connectAhead(RabbitPublisher publisher) {
        Thread thread = new Thread(
                () -> {
                    try {
                        publisher.open().close();
                    } catch (RuntimeException e) {
                        LOG.debug("broker is not there yet; the workers wait for it", e);
                    }
                },
                "outbox-broker-ahead");
        thread.setDaemon(true);
        thread.start();
    }

    private void startRelay(
            DataSource dataSource, RabbitPublisher publisher, List<RelayObserver> observers, Health health) {
        Relay relay = open.add(Relay.create(dataSource, publisher, relaySettings.config(observers, listener())));
        health.watch(relay);
        relay.start();
        if (relaySettings.cleansUp()) {
            open.add(relaySettings.cleanup(dataSource)).start();
        }
    }

    private Optional<DataSource> listener() {
        return settings.flag(Setting.LISTEN) ? Optional.of(database.forListening()) : Optional.empty();
    }

    private Optional<Metrics> metrics(DataSource dataSource, HikariDataSource pool) {
        return settings.has(Setting.HEALTH_PORT)
                ? Optional.of(open.add(Metrics.of(dataSource, settings.text(Setting.SCHEMA), pool)))
                : Optional.empty();
    }

    private void tellStart() {
        LOG.atInfo()
                .addKeyValue("version", Commands.version())
                .addKeyValue("database", database)
                .addKeyValue("schema", settings.text(Setting.SCHEMA))
                .addKeyValue("broker", broker)
                .addKeyValue("exchange", settings.text(Setting.EXCHANGE))
                .log("relay process starts");
    }

    /** Stops in the opposite order: what shows and mends, then the relay, then what it needs. */
    @Override
    public void close() {
        // The signal has interrupted this thread, and a relay whose closing is interrupted does not wait for its
        // batches.
        if (Thread.interrupted()) {
            LOG.debug("interrupted by the signal to stop");
        }
        LOG.info("relay process stops");
        open.close();
        LOG.info("relay process has stopped");
    }
}
