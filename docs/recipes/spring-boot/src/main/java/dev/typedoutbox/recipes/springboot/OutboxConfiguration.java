package dev.typedoutbox.recipes.springboot;

import dev.typedoutbox.Outbox;
import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.relay.EventPublisher;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.autoconfigure.flyway.FlywayMigrationStrategy;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The outbox, its tables, and the relay. */
@Configuration(proxyBeanMethods = false)
class OutboxConfiguration {
    @Bean
    Outbox outbox() {
        return Outbox.create();
    }

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
        DataSource unpooled = DataSourceBuilder.derivedFrom(pool)
                .type(PGSimpleDataSource.class)
                .build();
        return Relay.create(
                pool, publisher, RelayConfig.builder().listenOn(unpooled).build());
    }
}
