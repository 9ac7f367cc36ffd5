package dev.typedoutbox.recipes.jpa;

import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.relay.EventPublisher;
import dev.typedoutbox.relay.Relay;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.flyway.FlywayMigrationStrategy;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The outbox's tables, and the relay. */
@Configuration(proxyBeanMethods = false)
class OutboxConfiguration {
    @Bean
    FlywayMigrationStrategy migrations() {
        return flyway -> {
            flyway.migrate(); // your tables, as without this bean
            OutboxSchema.migrate(flyway.getConfiguration().getDataSource());
        };
    }

    @Bean(initMethod = "start")
    @DependsOnDatabaseInitialization
    Relay relay(DataSource pool, EventPublisher publisher) {
        return Relay.create(pool, publisher);
    }
}
