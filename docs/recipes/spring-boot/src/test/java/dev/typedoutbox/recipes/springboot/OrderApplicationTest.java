package dev.typedoutbox.recipes.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayState;
import dev.typedoutbox.servers.Database;
import dev.typedoutbox.servers.PostgresServer;
import dev.typedoutbox.testkit.junit.BrokerExtension;
import org.jooq.DSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The whole application, with RabbitMQ. */
class OrderApplicationTest {
    @RegisterExtension
    static final BrokerExtension BROKER = BrokerExtension.rabbitMq();

    private final Database database = PostgresServer.shared().createDatabase("boot");

    @Test
    void placedOrderIsShippedAndTheRelayStopsWithTheApplication() {
        ConfigurableApplicationContext application = start();
        application.getBean(DSLContext.class).execute("insert into stock values ('cup', 10)");
        Relay relay = application.getBean(Relay.class);

        application.getBean(OrderService.class).place(new Order("4711", "cup", 2));
        await().until(() -> isShipped(application, "4711"));
        assertThat(relay.isListening()).isTrue();

        application.close();
        assertThat(relay.state()).isEqualTo(RelayState.STOPPED);
    }

    private ConfigurableApplicationContext start() {
        return new SpringApplicationBuilder(OrderApplication.class)
                .run(
                        "--spring.datasource.url=" + database.jdbcUrl(),
                        "--spring.datasource.username=" + database.user(),
                        "--spring.datasource.password=" + database.password(),
                        "--spring.rabbitmq.host=" + BROKER.host(),
                        "--spring.rabbitmq.port=" + BROKER.port(),
                        "--spring.rabbitmq.username=" + BROKER.user(),
                        "--spring.rabbitmq.password=" + BROKER.password(),
                        "--spring.rabbitmq.virtual-host=" + BROKER.virtualHost());
    }

    private static boolean isShipped(ConfigurableApplicationContext application, String orderId) {
        DSLContext dsl = application.getBean(DSLContext.class);
        return dsl.fetchSingle("select count(*)::int from shipments where order_id = ?", orderId)
                        .into(int.class)
                == 1;
    }
}
