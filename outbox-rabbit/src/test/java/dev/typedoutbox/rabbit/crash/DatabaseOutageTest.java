package dev.typedoutbox.rabbit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import dev.typedoutbox.relay.RelayState;
import dev.typedoutbox.servers.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A database that ends, dies, or does not let the relay work; the relay waits for it and goes on by itself. */
class DatabaseOutageTest {
    private static final Duration RECOVERY = Duration.ofSeconds(30);
    /** The longest back-off of five seconds, and something for a slow machine. */
    private static final Duration RECONNECTED = Duration.ofSeconds(8);

    private static final Duration NOTICED = Duration.ofSeconds(10);
    /** PostgreSQL writes what is committed without waiting for it after at most three times 200 ms. */
    private static final Duration LOSABLE = Duration.ofSeconds(1);

    private static final RelayConfig CONFIG = RelayConfig.builder()
            .batchSize(100)
            .confirmTimeout(Duration.ofSeconds(2))
            .build();

    private final PostgresServer server = BreakableServers.postgres();

    @Test
    void databaseThatIsStoppedLosesNothing() throws Exception {
        try (FaultRun run = run("database stopped")) {
            Relay relay = run.relay(CONFIG);
            run.flow();
            run.inject(server::stop, server::resume);
            awaitWaiting(relay);
            run.heal();
            assertThat(run.end(RECOVERY).recovered()).isLessThan(RECONNECTED);
            assertThat(relay.state()).isEqualTo(RelayState.RUNNING);
        }
    }

    @Test
    void databaseThatIsKilledLosesMarksAndNoEvents() throws Exception {
        try (FaultRun run = run("database killed")) {
            run.accounts().expectLostMarks(LOSABLE);
            Relay relay = run.relay(CONFIG);
            run.flow();
            run.inject(server::kill, server::resume);
            awaitWaiting(relay);
            run.heal();
            assertThat(run.end(RECOVERY).recovered()).isLessThan(RECONNECTED);
        }
    }

    @Test
    void sessionsThatAreTerminatedAgainAndAgainAreReplaced() throws Exception {
        try (FaultRun run = run("database sessions terminated 5 times")) {
            run.relay(CONFIG);
            run.flow();
            for (int i = 0; i < 5; i++) {
                run.inject(
                        () -> execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = '"
                                + run.database().database().name() + "' and application_name in ('" + FaultRun.RELAY
                                + "', '" + Writers.APPLICATION_NAME + "')"),
                        () -> {});
                run.heal();
                run.awaitMore(RECONNECTED);
            }
            assertThat(run.end(RECOVERY).recovered()).isLessThan(RECONNECTED);
        }
    }

    @Test
    void databaseThatIsReadOnlyForAWhileIsWaitedFor() throws Exception {
        try (FaultRun run = run("database read-only")) {
            // A backlog: nobody can write while it lasts, and a relay with nothing to send would notice nothing.
            run.load(20_000);
            run.receive();
            Relay relay = run.relay(CONFIG);
            await().atMost(NOTICED).until(() -> run.database().pending() < 19_000);
            run.inject(
                    () -> execute("alter system set default_transaction_read_only = on", "select pg_reload_conf()"),
                    () -> execute("alter system reset default_transaction_read_only", "select pg_reload_conf()"));
            awaitWaiting(relay);
            run.heal();
            assertThat(run.end(RECOVERY).recovered()).isLessThan(RECONNECTED);
        }
    }

    @Test
    void poolWithoutAConnectionToSpareIsWaitedFor() throws Exception {
        try (FaultRun run = run("pool exhausted")) {
            HikariDataSource pool = run.pool(run.database().direct(FaultRun.RELAY));
            Relay relay = run.relay(CONFIG, pool, run.publisher(Broker.shared().factory()));
            run.flow();
            try (Connection one = pool.getConnection();
                    Connection two = pool.getConnection()) {
                run.accounts().faultStrikes();
                awaitWaiting(relay);
                assertThat(one.isValid(1) && two.isValid(1)).isTrue();
            }
            run.heal();
            Verdict verdict = run.end(RECOVERY);
            assertThat(verdict.recovered()).isLessThan(RECONNECTED);
            assertThat(verdict.duplicates()).isZero();
        }
    }

    private static void awaitWaiting(Relay relay) {
        await().atMost(NOTICED).until(() -> relay.state() == RelayState.WAITING_FOR_DATABASE);
    }

    private void execute(String... statements) {
        try (Connection connection = server.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private FaultRun run(String fault) {
        return new FaultRun(fault, server, Broker.shared());
    }
}
