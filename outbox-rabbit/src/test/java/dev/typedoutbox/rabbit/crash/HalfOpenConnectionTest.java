package dev.typedoutbox.rabbit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.ConnectionFactory;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import dev.typedoutbox.relay.RelayState;
import dev.typedoutbox.servers.PostgresServer;
import dev.typedoutbox.servers.TcpProxy;
import dev.typedoutbox.servers.TcpProxy.Direction;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** A network that lets nothing pass one way, and tells nobody. */
class HalfOpenConnectionTest {
    private static final Duration RECOVERY = Duration.ofSeconds(30);
    /** The longest back-off of five seconds, and something for a slow machine. */
    private static final Duration RECONNECTED = Duration.ofSeconds(8);

    private static final Duration BOUND = Duration.ofSeconds(1);
    private static final Duration GIVEN_UP = Duration.ofSeconds(10);
    private static final RelayConfig CONFIG = RelayConfig.builder()
            .batchSize(100)
            .confirmTimeout(BOUND)
            .statementTimeout(BOUND)
            .closeTimeout(BOUND)
            .build();

    private final Broker broker = Broker.shared();
    private final PostgresServer postgres = PostgresServer.shared();

    @Test
    void confirmsThatDoNotComeThroughAreGivenUp() throws Exception {
        brokerBehind(Direction.TO_CLIENT);
    }

    @Test
    void publishesThatDoNotComeThroughAreGivenUp() throws Exception {
        brokerBehind(Direction.TO_SERVER);
    }

    @Test
    void confirmsThatDoNotComeThroughTlsAreGivenUp() throws Exception {
        secureBrokerBehind(Direction.TO_CLIENT);
    }

    /** No time-out of the operating system's ends it: what the broker says still comes, and TLS would wait for an answer. */
    @Test
    void publishesThatDoNotComeThroughTlsAreGivenUp() throws Exception {
        secureBrokerBehind(Direction.TO_SERVER);
    }

    @Test
    void answersOfTheDatabaseThatDoNotComeThroughAreGivenUp() throws Exception {
        databaseBehind(Direction.TO_CLIENT);
    }

    @Test
    void statementsThatDoNotComeThroughAreGivenUp() throws Exception {
        databaseBehind(Direction.TO_SERVER);
    }

    @Test
    void closeReturnsInTimeWhileTheDatabaseDoesNotAnswer() throws Exception {
        RelayConfig patient = RelayConfig.builder()
                .batchSize(100)
                .closeTimeout(Duration.ofSeconds(1))
                .build();
        try (TcpProxy proxy = toPostgres();
                FaultRun run = new FaultRun("relay closed while the database is half-open", postgres, broker)) {
            Relay relay = run.relay(patient, run.pool(behind(proxy, run)), run.publisher(broker.factory()));
            run.flow();
            run.inject(() -> proxy.swallow(Direction.TO_CLIENT), () -> {
                proxy.heal();
                run.relay(CONFIG);
            });
            await().until(() -> run.database().pending() > 200);
            long start = System.nanoTime();
            relay.close();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(7));
            assertThat(relay.state()).isEqualTo(RelayState.STOPPED);
            await().atMost(GIVEN_UP).until(() -> run.lockedSlots() == 0);
            run.heal();
            run.end(RECOVERY);
        }
    }

    private void brokerBehind(Direction swallowed) throws Exception {
        URI server = broker.server().uri();
        try (TcpProxy proxy = TcpProxy.to(server.getHost(), server.getPort())) {
            brokerBehind(
                    proxy, swallowed, "broker half-open ", broker, Broker.factory(Broker.at(server, proxy.port())));
        }
    }

    private void secureBrokerBehind(Direction swallowed) throws Exception {
        Broker secure = BreakableServers.brokerWithTls();
        URI server = secure.server().tlsUri();
        try (TcpProxy proxy = TcpProxy.to(server.getHost(), server.getPort())) {
            brokerBehind(proxy, swallowed, "broker half-open over TLS ", secure, secure.tlsFactory(proxy.port()));
        }
    }

    private void brokerBehind(
            TcpProxy proxy, Direction swallowed, String fault, Broker behind, ConnectionFactory throughProxy)
            throws Exception {
        try (FaultRun run = new FaultRun(fault + words(swallowed), postgres, behind)) {
            Relay relay =
                    run.relay(CONFIG, run.pool(run.database().direct(FaultRun.RELAY)), run.publisher(throughProxy));
            run.flow();
            run.inject(() -> proxy.swallow(swallowed), proxy::heal);
            await().atMost(GIVEN_UP).until(() -> relay.state() == RelayState.WAITING_FOR_BROKER);
            await().atMost(GIVEN_UP).until(() -> run.openTransactions() == 0);
            run.heal();
            assertThat(run.end(RECOVERY).recovered()).isLessThan(RECONNECTED);
        }
    }

    private void databaseBehind(Direction swallowed) throws Exception {
        try (TcpProxy proxy = toPostgres();
                FaultRun run = new FaultRun("database half-open " + words(swallowed), postgres, broker)) {
            Relay relay = run.relay(CONFIG, run.pool(behind(proxy, run)), run.publisher(broker.factory()));
            run.flow();
            run.inject(() -> proxy.swallow(swallowed), proxy::heal);
            await().atMost(GIVEN_UP).until(() -> relay.state() == RelayState.WAITING_FOR_DATABASE);
            await().atMost(GIVEN_UP).until(() -> run.lockedSlots() == 0);
            run.heal();
            assertThat(run.end(RECOVERY).recovered()).isLessThan(RECONNECTED);
        }
    }

    private TcpProxy toPostgres() {
        PGSimpleDataSource server = new PGSimpleDataSource();
        server.setURL(postgres.jdbcUrl());
        return TcpProxy.to(server.getServerNames()[0], server.getPortNumbers()[0]);
    }

    private static PGSimpleDataSource behind(TcpProxy proxy, FaultRun run) {
        PGSimpleDataSource dataSource = run.database().direct(FaultRun.RELAY);
        dataSource.setServerNames(new String[] {"127.0.0.1"});
        dataSource.setPortNumbers(new int[] {proxy.port()});
        return dataSource;
    }

    private static String words(Direction swallowed) {
        return swallowed == Direction.TO_CLIENT ? "towards the relay" : "from the relay";
    }
}
