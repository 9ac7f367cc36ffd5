package dev.typedoutbox.recipes.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.relay.EventPublisher;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/** What is open from the application's start to its end. */
final class OrderApplication implements AutoCloseable {
    private final HikariDataSource pool;
    private final EventPublisher publisher;
    private final Relay relay;

    OrderApplication(HikariConfig config, DataSource unpooled, EventPublisher publisher) {
        this.publisher = publisher;
        pool = new HikariDataSource(config);
        Flyway.configure().dataSource(pool).load().migrate(); // your tables
        OutboxSchema.migrate(pool); // the outbox's, with a history of their own

        RelayConfig listening = RelayConfig.builder().listenOn(unpooled).build();
        relay = Relay.create(pool, publisher, listening);
        relay.start();
    }

    OrderService orders() {
        return new OrderService(pool);
    }

    @Override
    public void close() {
        relay.close();
        publisher.close();
        pool.close();
    }
}
