package dev.typedoutbox.rabbit.crash;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.ConnectionFactory;
import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.rabbit.RabbitPublisher;
import dev.typedoutbox.rabbit.Routing;
import dev.typedoutbox.rabbit.crash.Hold.Step;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.rabbit.support.Ledger;
import dev.typedoutbox.rabbit.support.OutboxDatabase;
import dev.typedoutbox.rabbit.support.Receiver;
import dev.typedoutbox.relay.EventPublisher;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import dev.typedoutbox.servers.PostgresServer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import javax.sql.DataSource;

/**
 * An application that writes, relays that publish, a receiver, a fault that strikes them and its end; and an account of all
 * that, by which the run is judged. What the run started ends with it, the fault first.
 */
final class FaultRun implements AutoCloseable {
    /** By this name the database knows the relays' sessions. */
    static final String RELAY = "relay";

    private static final Duration START = Duration.ofSeconds(30);

    private final Broker broker;
    private final OutboxDatabase database;
    private final String exchange;
    private final String queue;
    private final Ledger ledger = new Ledger();
    private final Writers writers;
    private final Accounts accounts;
    private final Judge judge;
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private Runnable cure = () -> {};

    FaultRun(String fault, PostgresServer postgres, Broker broker) {
        this(fault, postgres, broker, Map.of());
    }

    FaultRun(String fault, PostgresServer postgres, Broker broker, Map<String, Object> queueArguments) {
        this.broker = broker;
        this.exchange = broker.exchange();
        this.queue = broker.queue(exchange, "#", queueArguments);
        this.database = OutboxDatabase.on(postgres);
        this.writers = new Writers(database);
        this.accounts = new Accounts(database, ledger, writers);
        this.judge = new Judge(fault, database, ledger, writers, accounts);
        parts.push(database);
        parts.push(writers);
    }

    OutboxDatabase database() {
        return database;
    }

    String exchange() {
        return exchange;
    }

    String queue() {
        return queue;
    }

    Ledger ledger() {
        return ledger;
    }

    Accounts accounts() {
        return accounts;
    }

    /** Commits events before anything else happens. */
    void load(int events) {
        accounts.loaded(database.write(events, 100, "order.loaded"));
    }

    void write() {
        writers.start();
    }

    void receive() {
        parts.push(new Receiver(broker.factory(), queue, ledger));
    }

    /** Starts to write and to receive, and waits until events flow. */
    void flow() {
        receive();
        write();
        awaitMore(START);
    }

    /** A relay in this process, on a pool of its own. */
    Relay relay(RelayConfig config) {
        return relay(config, pool(database.direct(RELAY)), publisher(broker.factory()));
    }

    Relay relay(RelayConfig config, DataSource dataSource, EventPublisher publisher) {
        Relay relay = Relay.create(dataSource, publisher, config);
        parts.push(publisher);
        parts.push(relay);
        accounts.relayStarts(config.workers() * config.batchSize());
        relay.start();
        return relay;
    }

    RabbitPublisher publisher(ConnectionFactory factory) {
        return RabbitPublisher.create(factory, Routing.toExchange(exchange));
    }

    /** A pool with as many connections as a relay with the default workers needs; it ends with the run. */
    HikariDataSource pool(DataSource direct) {
        HikariDataSource pool = OutboxDatabase.pool(direct, RelayConfig.DEFAULT_WORKERS);
        parts.push(pool);
        return pool;
    }

    RelayProcess process(Duration confirmTimeout, Step holdAt) {
        return process(broker.server().uri().toString(), confirmTimeout, holdAt);
    }

    RelayProcess process(String amqpUri, Duration confirmTimeout, Step holdAt) {
        RelayProcess process = new RelayProcess(database.database(), amqpUri, exchange, confirmTimeout, holdAt);
        parts.push(process);
        accounts.relayStarts(RelayProcess.BATCH_SIZE);
        return process;
    }

    void inject(Runnable strike, Runnable heal) {
        accounts.faultStrikes();
        cure = heal;
        strike.run();
    }

    /** Ends the fault; from here on counts the time to recover. */
    void heal() {
        Runnable heal = cure;
        cure = () -> {};
        heal.run();
        judge.healed();
    }

    /** Waits for some events that never came before. */
    void awaitMore(Duration bound) {
        assertThat(judge.flows(bound)).as("flow within " + bound).isTrue();
    }

    /** The slots that relays hold. */
    long lockedSlots() {
        return database.count("pg_locks where locktype = 'advisory' and granted and objid < 64"
                + " and database = (select oid from pg_database where datname = current_database())");
    }

    /** The transactions that relays, in this process or others, have open. */
    long openTransactions() {
        return database.count("pg_stat_activity where datname = current_database() and application_name = '" + RELAY
                + "' and xact_start is not null");
    }

    /** Waits until nothing is left of the fault, leaves the figures for the report, and requires that all is right. */
    Verdict end(Duration bound) {
        Verdict verdict = judge(bound);
        verdict.publish();
        assertThat(verdict.complaints()).as(verdict.fault()).isEmpty();
        return verdict;
    }

    /** As {@link #end}, and requires nothing. */
    Verdict judge(Duration bound) {
        return judge.judge(bound);
    }

    @Override
    public void close() throws Exception {
        try (AutoCloseable all = this::closeParts) {
            cure.run();
        }
    }

    private void closeParts() throws Exception {
        if (!parts.isEmpty()) {
            try (AutoCloseable others = this::closeParts) {
                parts.pop().close();
            }
        }
    }
}
