package dev.typedoutbox.rabbit.crash;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.servers.AmqpServer;
import dev.typedoutbox.servers.PostgresServer;
import java.util.Optional;

/** Servers that can be broken, and are whole again after each test. A test is skipped where it cannot have them. */
final class BreakableServers {
    private BreakableServers() {}

    static Broker broker() {
        assumeTrue(AmqpServer.shared().isControllable(), AmqpServer.HOW_TO_GET_RABBITMQ);
        return Broker.shared();
    }

    /** A node of its own, for all tests that need TLS. */
    static Broker brokerWithTls() {
        assumeTrue(SecureRabbit.SERVER.isPresent(), "an installed rabbitmq-server is needed");
        return new Broker(SecureRabbit.SERVER.orElseThrow());
    }

    static PostgresServer postgres() {
        assumeTrue(
                PostgresServer.shared().isControllable(),
                "a PostgreSQL that can be stopped is needed: leave " + PostgresServer.URL_VARIABLE + " unset");
        return OwnPostgres.SERVER;
    }

    private static final class OwnPostgres {
        static final PostgresServer SERVER = PostgresServer.start();
    }

    private static final class SecureRabbit {
        static final Optional<AmqpServer> SERVER = AmqpServer.startWithTls();
    }
}
