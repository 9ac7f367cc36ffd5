package dev.typedoutbox.example;

import dev.typedoutbox.servers.AmqpServer;
import dev.typedoutbox.servers.PostgresServer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Supplier;

/** The servers of the run: those that the options name, or else some of its own that end with it. */
final class Servers implements AutoCloseable {
    private final Deque<AutoCloseable> own = new ArrayDeque<>();
    private final Terminal terminal;

    Servers(Terminal terminal) {
        this.terminal = terminal;
    }

    DatabaseAccess database(Optional<DatabaseAccess> named) {
        named.ifPresent(database -> terminal.step("using PostgreSQL at " + database));
        return named.orElseGet(this::startPostgres);
    }

    BrokerAccess broker(Optional<BrokerAccess> named) {
        named.ifPresent(broker -> terminal.step("using the broker at " + broker));
        return named.orElseGet(this::startBroker);
    }

    private DatabaseAccess startPostgres() {
        PostgresServer server = start(PostgresServer::startFromBinaries, "PostgreSQL", "--jdbc-url");
        DatabaseAccess database = DatabaseAccess.of(server.jdbcUrl(), server.user(), server.password());
        terminal.step("PostgreSQL runs at " + database + " (binaries from Maven)");
        return database;
    }

    private BrokerAccess startBroker() {
        AmqpServer server = start(AmqpServer::startEmbedded, "AMQP broker", "--amqp-uri");
        BrokerAccess broker = BrokerAccess.of(server.uri().toString());
        terminal.step("AMQP broker runs at " + broker + " (inside this process)");
        return broker;
    }

    private <S extends AutoCloseable> S start(Supplier<S> starter, String name, String option) {
        try {
            S server = starter.get();
            own.push(server);
            return server;
        } catch (RuntimeException e) {
            throw ExampleFailure.of(
                    name + " did not start (" + NetworkReason.firstLine(e) + "): name a running one with " + option, e);
        }
    }

    @Override
    public void close() throws Exception {
        while (!own.isEmpty()) {
            own.pop().close();
        }
    }
}
