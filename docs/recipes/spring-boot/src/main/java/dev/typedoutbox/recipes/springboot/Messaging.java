package dev.typedoutbox.recipes.springboot;

import com.rabbitmq.client.ConnectionFactory;
import dev.typedoutbox.consumer.IdempotentConsumer;
import dev.typedoutbox.rabbit.QueueTopology;
import dev.typedoutbox.rabbit.RabbitConsumer;
import dev.typedoutbox.rabbit.RabbitPublisher;
import dev.typedoutbox.rabbit.Routing;
import javax.sql.DataSource;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/** What needs RabbitMQ, found where {@code spring.rabbitmq.*} says. */
@Configuration(proxyBeanMethods = false)
@Profile("!test")
class Messaging {
    @Bean
    RabbitPublisher publisher(CachingConnectionFactory spring) {
        return RabbitPublisher.create(spring.getRabbitConnectionFactory(), Routing.toExchange("orders"));
    }

    @Bean(initMethod = "start")
    @DependsOnDatabaseInitialization
    RabbitConsumer shipping(CachingConnectionFactory spring, DataSource pool) {
        ConnectionFactory rabbit = spring.getRabbitConnectionFactory();
        QueueTopology topology = QueueTopology.builder("shipping")
                .boundTo("orders", "order.*")
                .singleActiveConsumer()
                .build();
        topology.declare(rabbit); // the only thing here that cannot wait for the broker

        IdempotentConsumer shipping = IdempotentConsumer.create(pool, "shipping", (tx, event) -> {
            if (event.eventType().equals("order.placed")) {
                tx.execute("insert into shipments values (?)", event.aggregateId());
            }
        });
        return RabbitConsumer.builder(rabbit, topology.queue(), shipping)
                .deadLetterExchange(topology.deadLetterExchange())
                .build();
    }
}
