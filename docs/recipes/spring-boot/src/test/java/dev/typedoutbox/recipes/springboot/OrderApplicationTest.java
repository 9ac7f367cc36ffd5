package dev.typedoutbox.recipes.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayState;
import dev.typedoutbox.servers.AmqpServer;
import dev.typedoutbox.servers.Database;
import dev.typedoutbox.servers.PostgresServer;
import org.jooq.DSLContext;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The whole application, with RabbitMQ. */
class OrderApplicationTest {
    private final AmqpServer rabbit = AmqpServer.shared();
    private final Database database = PostgresServer.shared().createDatabase("boot");

    @Test
    void placedOrderIsShippedAndTheRelayStopsWithTheApplication() {
        assumeTrue(rabbit.isRabbitMq(), AmqpServer.HOW_TO_GET_RABBITMQ);
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
        String[] login = rabbit.uri().getUserInfo().split(":", 2);
        return new SpringApplicationBuilder(OrderApplication.class)
                .run(
                        "--spring.datasource.url=" + database.jdbcUrl(),
                        "--spring.datasource.username=" + database.user(),
                        "--spring.datasource.password=" + database.password(),
                        "--spring.rabbitmq.host=" + rabbit.uri().getHost(),
                        "--spring.rabbitmq.port=" + rabbit.uri().getPort(),
                        "--spring.rabbitmq.username=" + login[0],
                        "--spring.rabbitmq.password=" + login[1]);
    }

    private static boolean isShipped(ConfigurableApplicationContext application, String orderId) {
        DSLContext dsl = application.getBean(DSLContext.class);
        return dsl.fetchSingle("select count(*)::int from shipments where order_id = ?", orderId)
                        .into(int.class)
                == 1;
    }
}
